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
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}function readTheme(root){let background=getComputedStyle(root).getPropertyValue("--st-background-color").trim(),[r,g,b]=parseColour(
background||"#ffffff"),base=.3*r+.59*g+.11*b<128?DARK:LIGHT,panel=getComputedStyle(root).getPropertyValue("--st-secondar\
y-background-color").trim(),theme={...base,background:background||base.background,panel:panel||base.panel,font:getComputedStyle(
root).fontFamily};for(let role of["ink","soft","muted","accent","good","warn","bad","background","panel","line"])root.style.
setProperty(`--hm-${role}`,theme[role]);return root.style.setProperty("--hm-on-accent",theme.onAccent),root.dataset.theme=
theme.dark?"dark":"light",theme}function make(tag,className,text){let element=document.createElement(tag);return className&&(element.className=className),
text!==void 0&&(element.textContent=text),element}function header(data){let row=make("tr");row.append(make("td"));for(let{
name,better}of data.columns){let head2=make("th","",name);head2.scope="col",better&&head2.append(make("span","hm-better",
better)),row.append(head2)}let head=make("thead");return head.append(row),head}function body(data){let all2=make("tbody");
for(let{name,numbers}of data.rows){let row=make("tr"),head=make("th"),names=make("div"),which=make("span","hm-which");head.
scope="row",which.setAttribute("aria-hidden","true"),which.append(...data.which.map(word=>make("span","",word))),names.append(
make("span","",name),which),head.append(names),row.append(head);for(let number of numbers){let place=make("td","",number?
void 0:data.none);if(number){let button=make("button");button.type="button";for(let line of number.paper?[number.ours,number.
paper]:[number.ours]){let parts=make("span","hm-line");parts.append(...line.flatMap((_,i)=>i?[make("span")]:[make("span"),
make("span")])),button.append(parts)}place.append(button)}row.append(place)}all2.append(row)}return all2}function atPoint(text){
let point=/^[−\d,]+\.\d/.test(text)?text.indexOf("."):text.length;return[text.slice(0,point),text.slice(point)]}function longest(cells){
let texts=cells.flatMap(cell=>cell?[cell.ours[0],cell.paper?.[0]??""]:[]).map(atPoint);return[0,1].map(side=>texts.map(parts=>parts[side]).
reduce((a,b)=>b.length>a.length?b:a,""))}function fill(table,data){let rows=table.tBodies[0].rows,rooms=data.columns.map(
(_,j)=>longest(data.rows.map(({numbers})=>numbers[j])));data.rows.forEach(({numbers},i)=>numbers.forEach((number,j)=>{if(!number)
return;let button=one(rows[i].cells[j+1],"button"),before=button.ariaLabel;[number.ours,number.paper].forEach((line,k)=>{
if(!line)return;let parts=[...atPoint(line[0]),line[1]];all(button.children[k],"span").forEach((span,n)=>{span.textContent=
parts[n],n<2&&(span.dataset.room=rooms[j][n])})}),button.dataset.kind=number.kind,button.title=number.sentence,button.setAttribute(
"aria-label",number.sentence),button.setAttribute("aria-pressed",String(number.chosen)),before&&before!==number.sentence&&
(button.classList.remove("hm-new"),requestAnimationFrame(()=>button.classList.add("hm-new")))}))}function mount({parentElement,
data,setTriggerValue}){let box=one(parentElement,".hm-published");if(readTheme(box),box.dataset.about!==data.about){let table2=make(
"table");table2.append(make("caption","",data.caption),header(data),body(data)),box.replaceChildren(table2),box.dataset.
about=data.about,box.setAttribute("aria-label",data.caption)}let table=one(box,"table");fill(table,data),table.onclick=event=>{
let place=event.target instanceof Element?event.target.closest("button")?.closest("td"):null;place?.parentElement instanceof
HTMLTableRowElement&&setTriggerValue("chosen",[place.parentElement.sectionRowIndex,place.cellIndex-1])}}export{atPoint,mount as default,longest};
