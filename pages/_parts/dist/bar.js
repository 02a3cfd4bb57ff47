// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}var theme_default={light:{ink:"#1c2330",soft:"#566072",muted:"#8a94a6",accent:"#5b3fd6",good:"#0f8a5f",warn:"#b45309",bad:"\
#c2255c",background:"#ffffff",panel:"#f6f7f9",line:"#e3e6ec",onAccent:"#ffffff",classes:["#e8590c","#1f6feb","#0f8a5f","\
#a61e9a","#b58900","#0891b2","#7a4b1e","#d6336c","#6741d9","#5c940d"],strength:.56},dark:{ink:"#e8ecf3",soft:"#aab4c4",muted:"\
#7b8798",accent:"#a08cff",good:"#3fcf9b",warn:"#f5b942",bad:"#ff7aa2",background:"#0f131a",panel:"#171c26",line:"#2a3140",
onAccent:"#14102b",classes:["#ff8a4c","#5b9bff","#3fcf9b","#f07be0","#f2cf4a","#4fd3ee","#c89a6b","#ff7fa5","#b197fc","#\
a3d94f"],strength:.56}};var LIGHT={dark:!1,...theme_default.light},DARK={dark:!0,...theme_default.dark};function parseColour(text){let hex=text.
trim().match(/^#([0-9a-f]{6})$/i);if(hex){let v=parseInt(hex[1],16);return[v>>16,v>>8&255,v&255]}let rgb=text.match(/[\d.]+/g);
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}var WAIT=1e3,find=selector=>document.querySelector(selector);function toStage(){let[stage]=window.halfmoonStages??[];stage?.
root.scrollIntoView({block:"nearest"}),stage?.area.focus()}function toSettings(){find('[data-testid="stExpandSidebarButt\
on"]')?.click();let end=performance.now()+WAIT,enter=()=>{let settings=find('[data-testid="stSidebarContent"]');settings&&
(settings.tabIndex=-1),settings?.focus(),document.activeElement!==settings&&performance.now()<end&&requestAnimationFrame(
enter)};enter()}function link(words,go){let made=document.createElement("a");return made.href="#",made.textContent=words,
made.addEventListener("click",e=>{e.preventDefault(),go()}),made}function offerSkips(sided){if(!find(".hm-skip")){let nav=document.
createElement("nav");nav.className="hm-skip",nav.setAttribute("aria-label","Skip"),nav.append(link("Skip to the stage",toStage),
link("Skip to the settings",toSettings)),document.body.prepend(nav);let show=()=>{one(nav,":first-child").hidden=!window.
halfmoonStages?.size};document.addEventListener("halfmoon-stages",show),show()}one(document,".hm-skip > :last-child").hidden=
!sided}var HTML=document.documentElement,ORDERED=new WeakMap,WAIT2=1500;function presenting(){return HTML.dataset.hmPresent==="\
1"}function setPresent(on){on!==presenting()&&(on?HTML.dataset.hmPresent="1":delete HTML.dataset.hmPresent,document.dispatchEvent(
new CustomEvent("halfmoon-present")))}function isDark(element){let[r,g,b]=parseColour(getComputedStyle(element).backgroundColor);
return .3*r+.59*g+.11*b<128}async function choose(name2,pages){HTML.dataset.hmSwitching="1";let menu=()=>document.querySelector(
'[data-testid="stMainMenuButton"]')?.click();menu();let item=await soon(`[data-testid="stMainMenuItem-theme-${name2}"]`);
item?.click(),menu(),delete HTML.dataset.hmSwitching,remember(name2,pages),item||location.reload()}function soon(selector){
let end=performance.now()+WAIT2;return new Promise(found=>{let look=()=>{let element=document.querySelector(selector);element||
performance.now()>end||!document.querySelector('[data-testid="stMainMenuButton"]')?found(element):requestAnimationFrame(
look)};look()})}function remember(name2,pages){let known=Object.keys(localStorage).find(key=>/^stActiveTheme-.*-v\d+$/.test(
key));if(!known)return;let version=known.slice(known.lastIndexOf("-v")),base=location.pathname.replace(/[^/]*$/,"");for(let page of pages)
localStorage.setItem(`stActiveTheme-${base}${page}${version}`,JSON.stringify(name2))}function orderPage(){let view=document.
querySelector('[data-testid="stAppViewContainer"]');if(!view||ORDERED.has(view))return;let order=()=>{let sidebar=view.querySelector(
':scope > [data-testid="stSidebar"]'),main=view.querySelector(":scope > :has(> [data-testid=stMain])");sidebar&&main&&sidebar.
compareDocumentPosition(main)&Node.DOCUMENT_POSITION_FOLLOWING&&main.after(sidebar)},observer=new MutationObserver(order);
observer.observe(view,{childList:!0}),ORDERED.set(view,observer),order()}var PHONE=matchMedia("(max-width: 767.98px)"),CHOICES="\
[role=option], [role=radio]";function closeSidebar(e){let button=document.querySelector('[data-testid="stSidebarCollapse\
Button"] button'),several=document.activeElement?.closest('[data-testid="stMultiSelect"]'),chosen=e.composedPath().some(
at=>at instanceof Element&&at.matches(CHOICES));!PHONE.matches||!button||several||!chosen||setTimeout(()=>button?.click(),
100)}function mount({parentElement,data,setStateValue}){let root=one(parentElement,".hm-bar"),present=one(root,"[data-ro\
le=present]"),theme=one(root,"[data-role=theme]");orderPage(),offerSkips(data.sided),HTML.dataset.hmRoom=data.sided?"sid\
ed":"plain",root.dataset.begun||setPresent(data.present),root.dataset.begun="1";let show=()=>{let on=presenting(),dark=isDark(
theme);root.dataset.theme=HTML.dataset.hmTheme=dark?"dark":"light",root.dataset.present=on?"1":"0",present.hidden=!on&&!window.
halfmoonStages?.size,present.setAttribute("aria-pressed",String(on)),name(present,on?"Leave present mode (Esc)":"Present\
: the stage alone, in large type"),name(theme,dark?"Light colours":"Dark colours")},turn=on=>{setPresent(on),setStateValue(
"present",on)};present.onclick=()=>turn(!presenting()),theme.onclick=async()=>{let name2=root.dataset.theme==="dark"?"Li\
ght":"Dark";await choose(name2,data.pages),theme.focus(),setTimeout(()=>setStateValue("theme",name2),50)};let leave=e=>{
e.key==="Escape"&&presenting()&&!e.defaultPrevented&&turn(!1)};document.addEventListener("keydown",leave),document.addEventListener(
"click",closeSidebar);for(let event of["halfmoon-present","halfmoon-stages"])document.addEventListener(event,show);return show(),
()=>{document.removeEventListener("keydown",leave),document.removeEventListener("click",closeSidebar);for(let event of["\
halfmoon-present","halfmoon-stages"])document.removeEventListener(event,show)}}function name(button,words){button.title=
words,button.setAttribute("aria-label",words)}export{mount as default};
