// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function all(root,selector){return[...root.querySelectorAll(selector)].filter(found=>found instanceof
HTMLElement)}var MARGIN=8,GAP=4,WIDTH=480,HEIGHT=560,ENOUGH=300,PAGE=6,MENUS=new WeakMap,plain=text=>text.toLowerCase().normalize("NF\
D").replace(/\p{M}/gu,"");function search(groups,typed){let wanted=plain(typed).split(/\s+/).filter(Boolean),found=groups.
flatMap(({title,options})=>options.filter(option=>{let words=plain(`${title} ${option.title} ${option.idea}`);return wanted.
every(word=>words.includes(word))})),rank=({title})=>{let place2=wanted.length?plain(title).indexOf(wanted[0]):0;return place2<
0?2:Math.min(place2,1)};return{ids:found.map(({id})=>id),best:found.sort((a,b)=>rank(a)-rank(b))[0]?.id??null}}function place(button,view){
let width=Math.min(Math.max(button.width,WIDTH),view.width-2*MARGIN),left=Math.max(MARGIN,Math.min(button.left,view.width-
MARGIN-width)),below=view.height-button.bottom-GAP-MARGIN,above=button.top-GAP-MARGIN,under=below>=Math.min(ENOUGH,above),
height=Math.max(0,Math.min(HEIGHT,under?below:above));return{left,width,height,top:under?button.bottom+GAP:null,bottom:view.
height-button.top+GAP}}var Menu=class{data={label:"",chosen:null,groups:[]};meant=null;drawn="";send=_=>{};constructor(root){
this.button=one(root,"button"),this.panel=one(root,".hm-list"),this.field=one(root,"input"),this.list=one(root,"[role=li\
stbox]"),this.none=one(root,"p"),this.panel.popover="auto",this.button.popoverTargetElement=this.panel,this.button.addEventListener(
"keydown",e=>this.openByKey(e)),this.panel.addEventListener("beforetoggle",e=>{e.newState==="closed"&&this.clear()}),this.
panel.addEventListener("toggle",e=>this.toggled(e.newState==="open")),this.panel.addEventListener("keydown",e=>this.handleKey(
e)),this.field.addEventListener("input",()=>this.filter()),this.list.addEventListener("click",e=>{let option=e.target instanceof
Element&&e.target.closest("[role=option]");option instanceof HTMLElement&&this.choose(option.dataset.id??null)}),this.follow=
()=>this.lay()}update(data,send){this.data=data,this.send=send;let words=JSON.stringify([data.label,data.groups]);words!==
this.drawn&&this.draw(),this.drawn=words,this.mark(data.chosen),this.open||this.mean(data.chosen)}draw(){let{groups,label}=this.
data;this.field.setAttribute("aria-label",`Search: ${label}`),this.list.setAttribute("aria-label",label),this.list.replaceChildren(
...groups.map(({title,options})=>{let group=element("div",{role:"group","aria-label":title}),head=element("div",{class:"\
hm-head","aria-hidden":"true"},title);return group.append(head,...options.map(drawOption)),group})),this.filter()}mark(id){
let{groups,label}=this.data,option=groups.flatMap(({options})=>options).find(one2=>one2.id===id);one(this.button,"small").
textContent=option?label:"",one(this.button,"b").textContent=option?.title??label,this.button.title=option?.idea??"",this.
button.setAttribute("aria-label",option?`${label}: ${option.title}`:label);for(let one2 of this.options)one2.setAttribute(
"aria-selected",String(one2.dataset.id===id))}get options(){return all(this.list,"[role=option]")}get open(){return this.
panel.matches(":popover-open")}openByKey(e){if(e.ctrlKey||e.metaKey||e.altKey)return;let typed=e.key.length===1&&e.key!==
" ";!typed&&!["ArrowDown","ArrowUp"].includes(e.key)||(e.preventDefault(),e.stopPropagation(),this.panel.showPopover(),this.
field.focus(),typed&&(this.field.value=e.key),this.filter())}toggled(open){this.button.setAttribute("aria-expanded",String(
open));let change=open?"addEventListener":"removeEventListener";for(let source of[window,window.visualViewport])source?.[change](
"resize",this.follow);if(document[change]("scroll",this.follow,!0),!open)return;this.lay();let target=matchMedia("(hover\
: hover)").matches?this.field:this.list;this.panel.contains(this.panel.getRootNode().activeElement)||target.focus({preventScroll:!0}),
this.field.value||this.mean(this.meant??this.options[0]?.dataset.id??null,"center")}lay(){let view=window.visualViewport??
{width:innerWidth,height:innerHeight},{left,width,height,top,bottom}=place(this.button.getBoundingClientRect(),view),style={
left:`${left}px`,width:`${width}px`,maxHeight:`${height}px`},at=top===null?{top:"auto",bottom:`${bottom}px`}:{top:`${top}\
px`,bottom:"auto"};Object.assign(this.panel.style,style,at)}close(){this.panel.hidePopover(),this.button.focus({preventScroll:!0})}clear(){
this.field.value="",this.filter()}filter(){let{ids,best}=search(this.data.groups,this.field.value),shown=new Set(ids);for(let option of this.
options)option.hidden=!shown.has(option.dataset.id??"");for(let group of all(this.list,"[role=group]"))group.hidden=all(
group,"[role=option]").every(option=>option.hidden);this.none.hidden=ids.length>0,this.mean(this.field.value?best:this.data.
chosen)}mean(id,block="nearest"){this.meant=id;for(let option2 of this.options)option2.classList.toggle("hm-meant",option2.
dataset.id===id);let option=this.options.find(one2=>one2.dataset.id===id);for(let owner of[this.field,this.list])option?
owner.setAttribute("aria-activedescendant",option.id):owner.removeAttribute("aria-activedescendant");this.open&&option?.
scrollIntoView({block})}handleKey(e){e.stopPropagation();let steps={ArrowDown:1,ArrowUp:-1,PageDown:PAGE,PageUp:-PAGE};if(e.
key in steps)this.step(steps[e.key]);else if(e.key==="Enter")this.choose(this.meant);else if(e.key==="Escape")this.close();else
return;e.preventDefault()}step(count){let shown=this.options.filter(option=>!option.hidden);if(!shown.length)return;let at=shown.
findIndex(option=>option.dataset.id===this.meant),to=Math.min(shown.length-1,Math.max(0,at+count));this.mean(shown[to].dataset.
id??null)}choose(id){id!==null&&(this.close(),id!==this.data.chosen&&(this.data.chosen!==null&&this.mark(id),this.send(id)))}};
function drawOption({id,title,idea}){let option=element("div",{role:"option",id:`hm-option-${id}`,"aria-selected":"false"});
return option.dataset.id=id,option.append(element("b",{},title),element("span",{},idea)),option}function element(tag,attributes,text=""){
let made=document.createElement(tag);for(let[name,value]of Object.entries(attributes))made.setAttribute(name,value);return made.
textContent=text,made}function mount({parentElement,data,setTriggerValue}){let root=one(parentElement,".hm-menu"),menu=MENUS.
get(root)??new Menu(root);MENUS.set(root,menu),menu.update(data,id=>setTriggerValue("chosen",id))}export{mount as default,place,search};
