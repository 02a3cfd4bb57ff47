// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function all(root,selector){return[...root.querySelectorAll(selector)].filter(found=>found instanceof
HTMLElement)}var ICONS={right:"M4 10.5 8.500 15 16 5",other:"M10 10h.01"},BAR=90,WRITTEN=new WeakMap;function make(tag,className,...children){
let made=document.createElement(tag);return className&&(made.className=className),made.append(...children),made}function icon(name){
let svg=document.createElementNS("http://www.w3.org/2000/svg","svg"),path=document.createElementNS("http://www.w3.org/20\
00/svg","path");return svg.setAttribute("viewBox","0 0 20 20"),svg.setAttribute("aria-hidden","true"),path.setAttribute(
"d",ICONS[name]),svg.append(path),svg}function stageOf(key){return[...window.halfmoonStages??[]].find(stage=>stage.view?.
key===key)}function act(span,data,ask){if(span.set!==void 0)return ask(span.set);let stage=stageOf(data.stage);stage&&(span.
t!==void 0?stage.time.seekIteration(span.t):span.on&&stage.toggle(span.on))}function term(span){let button=make("button",
"hm-term",span.text),card=make("span","hm-meaning",make("b","",span.text),` ${span.meaning}`);button.type="button",card.
popover="auto",button.popoverTargetElement=card,button.popoverTargetAction="show";let leaving,pinned=!1;button.addEventListener(
"click",()=>{pinned=!0}),card.addEventListener("toggle",e=>{pinned&&=e.newState==="open"});let over=e=>{e.pointerType===
"mouse"&&(clearTimeout(leaving),card.matches(":popover-open")||card.showPopover({source:button}))},out=e=>{e.pointerType===
"mouse"&&(leaving=setTimeout(()=>pinned||card.hidePopover(),120))};for(let part of[button,card])part.addEventListener("p\
ointerenter",over),part.addEventListener("pointerleave",out);let word=make("span","",button,card);return span.strong?make(
"strong","",word):span.em?make("em","",word):word}function inline(span,data,ask){if(span.meaning)return term(span);if(span.
strong)return make("strong","",span.text);if(span.em)return make("em","",span.text);let does=["t","on","set"].find(name=>name in
span);if(!does)return span.text;let button=make("button","hm-phrase",span.text);return button.type="button",button.dataset.
does=does,does!=="set"&&(button.dataset[does]=String(span[does])),button.onclick=()=>act(span,data,ask),button}function blocks(list,data,ask){
let made=[];for(let{kind,spans}of list){let child=make(kind,"",...spans.map(span=>inline(span,data,ask)));kind==="p"?made.
push(child):made.at(-1)?.tagName==="UL"?made.at(-1)?.append(child):made.push(make("ul","",child))}return made}function options({
list,mine,right}){let rows=list.map(({key,text})=>{let notes=[key===right?"right":"",key===mine?"your answer":""].filter(
Boolean),words=notes.length?`${text} (${notes.join(", ")})`:text;return make("li",key===mine?"hm-mine":"",icon(key===right?
"right":"other"),make("span","",words))});return make("ul","hm-options",...rows)}function build(data,ask){let made=[make(
"h2","",data.title),...blocks(data.text,data,ask)];return data.question&&made.push(make("p","hm-question",data.question)),
data.options&&made.push(options(data.options)),data.reaction.length&&made.push(make("div","hm-reaction",...blocks(data.reaction,
data,ask))),[...made,...blocks(data.then,data,ask)]}function mount({parentElement,data,setTriggerValue}){let root=one(parentElement,
".hm-prose"),words=JSON.stringify(data);if(WRITTEN.get(root)!==words){let turned=WRITTEN.has(root)&&root.dataset.step!==
data.step;WRITTEN.set(root,words),root.dataset.step=data.step,root.replaceChildren(...build(data,scene=>setTriggerValue(
"scene",{step:data.step,scene}))),turned&&root.getBoundingClientRect().top<BAR&&root.scrollIntoView({block:"start"})}let mark=()=>{
let stage=stageOf(data.stage),t=stage?.time.moment;for(let phrase of all(root,"[data-on]"))phrase.setAttribute("aria-pre\
ssed",String(!!stage?.ui[phrase.dataset.on]));for(let phrase of all(root,"[data-t]"))Number(phrase.dataset.t)===t?phrase.
setAttribute("aria-current","true"):phrase.removeAttribute("aria-current")};return mark(),document.addEventListener("hal\
fmoon-place",mark),()=>document.removeEventListener("halfmoon-place",mark)}export{mount as default};
