// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}var HTML=document.documentElement,GAP=16,NAMES="[data-testid=stTopNav] > *, [data-testid=stHeaderLogo], [data-testid=stE\
xpandSidebarButton]",INSIDE=".st-key-actions, [data-testid=stPopoverBody]";function endOfNames(){let boxes=[...document.
querySelectorAll(NAMES)].map(name=>name.getBoundingClientRect());return Math.max(0,...boxes.filter(({width})=>width>1).map(
({right})=>right))}function mount({parentElement}){let button=one(parentElement,"button"),host=button.getRootNode().host??
button,row=document.querySelector(".st-key-actions_row"),ways=document.querySelector(".st-key-actions_ways");if(!(row instanceof
HTMLElement))throw new Error("There is no row of buttons.");let open=on=>{on?HTML.dataset.hmMore="1":delete HTML.dataset.
hmMore,button.setAttribute("aria-expanded",String(on))},lay=()=>{let before=HTML.dataset.hmActions;HTML.dataset.hmActions=
"row";let wide=ways?.getBoundingClientRect().width||0,fits=row.getBoundingClientRect().left-wide>=endOfNames()+GAP;HTML.
dataset.hmActions=fits?"row":"menu",fits&&before!=="row"&&open(!1)};button.onclick=()=>open(HTML.dataset.hmMore!=="1");let away=e=>{
e.composedPath().some(at=>at instanceof Element&&at.matches(INSIDE))||open(!1)},leave=e=>{let within=e.composedPath().some(
at=>at===row||at===host);e.key!=="Escape"||e.defaultPrevented||!within||HTML.dataset.hmMore&&(open(!1),button.focus(),e.
preventDefault())};document.addEventListener("pointerdown",away),document.addEventListener("keydown",leave,!0);let observer=new ResizeObserver(
lay),header=document.querySelector("[data-testid=stHeader]");for(let box of[row,ways,header,HTML])box&&observer.observe(
box);let names=new MutationObserver(lay);return header&&names.observe(header,{childList:!0,subtree:!0}),lay(),()=>{document.
removeEventListener("pointerdown",away),document.removeEventListener("keydown",leave,!0),observer.disconnect(),names.disconnect(),
open(!1)}}export{mount as default};
