// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function all(root,selector){return[...root.querySelectorAll(selector)].filter(found=>found instanceof
HTMLElement)}var theme_default={light:{ink:"#1c2330",soft:"#566072",muted:"#8a94a6",accent:"#5b3fd6",good:"#0f8a5f",warn:"#b45309",bad:"\
#c2255c",background:"#ffffff",panel:"#f6f7f9",line:"#e3e6ec",onAccent:"#ffffff",classes:["#e8590c","#1f6feb","#0f8a5f","\
#a61e9a","#b58900","#0891b2","#7a4b1e","#d6336c","#6741d9","#5c940d"],strength:.56},dark:{ink:"#e8ecf3",soft:"#aab4c4",muted:"\
#7b8798",accent:"#a08cff",good:"#3fcf9b",warn:"#f5b942",bad:"#ff7aa2",background:"#0f131a",panel:"#171c26",line:"#2a3140",
onAccent:"#14102b",classes:["#ff8a4c","#5b9bff","#3fcf9b","#f07be0","#f2cf4a","#4fd3ee","#c89a6b","#ff7fa5","#b197fc","#\
a3d94f"],strength:.56}};var LIGHT={dark:!1,...theme_default.light},DARK={dark:!0,...theme_default.dark};function parseColour(text){let hex=text.
trim().match(/^#([0-9a-f]{6})$/i);if(hex){let v=parseInt(hex[1],16);return[v>>16,v>>8&255,v&255]}let rgb=text.match(/[\d.]+/g);
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}var SVG="http://www.w3.org/2000/svg",ARROWS={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1};function isDark(element){
let[r,g,b]=parseColour(getComputedStyle(element).backgroundColor);return .3*r+.59*g+.11*b<128}function draw({points}){let svg=document.
createElementNS(SVG,"svg"),paths=new Map;svg.setAttribute("viewBox","-6 -6 112 112"),svg.setAttribute("aria-hidden","tru\
e");for(let[x,y,c]of points)paths.set(c,`${paths.get(c)??""}M${x} ${y}h0`);for(let[c,d]of paths){let path=document.createElementNS(
SVG,"path");path.setAttribute("d",d),path.setAttribute("fill","none"),path.setAttribute("stroke-width","7"),path.setAttribute(
"stroke-linecap","round"),path.dataset.class=String(c),svg.append(path)}return svg}function mount({parentElement,data,setTriggerValue}){
let group=one(parentElement,".hm-gallery");group.children.length||group.append(...data.pictures.map(picture=>{let button=document.
createElement("button");return button.type="button",button.dataset.name=picture.name,button.title=picture.title,button.setAttribute(
"role","radio"),button.setAttribute("aria-label",picture.title),button.append(draw(picture)),button}));let buttons=all(group,
"button"),mark=name=>{let any=buttons.some(button=>button.dataset.name===name);buttons.forEach((button,i)=>{let chosen=button.
dataset.name===name;button.setAttribute("aria-checked",String(chosen)),button.tabIndex=chosen||!any&&i===0?0:-1})},choose=button=>{
mark(button.dataset.name),button.focus(),setTriggerValue("chosen",button.dataset.name)};for(let button of buttons)button.
onclick=()=>choose(button);group.onkeydown=e=>{if(!ARROWS[e.key])return;e.preventDefault();let at=buttons.findIndex(button=>e.
composedPath().includes(button));choose(buttons[(at+ARROWS[e.key]+buttons.length)%buttons.length])},mark(data.chosen);let colours=data.
colours[isDark(buttons[0])?"dark":"light"];for(let path of group.querySelectorAll("path"))path.setAttribute("stroke",colours[Number(
path.dataset.class)%colours.length])}export{mount as default};
