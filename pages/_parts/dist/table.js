// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function all(root,selector){return[...root.querySelectorAll(selector)].filter(found=>found instanceof
HTMLElement)}function make(tag,className,text){let element=document.createElement(tag);return className&&(element.className=className),
text!==void 0&&(element.textContent=text),element}function header(data){let row=make("tr"),corner=make("th","",data.corner);
corner.scope="col",row.append(corner);for(let name of data.columns){let head2=make("th","",name);head2.scope="col",row.append(
head2)}let head=make("thead");return head.append(row),head}function body(data){let all2=make("tbody");for(let{name,numbers}of data.
rows){let row=make("tr"),head=make("th","",name);head.scope="row",row.append(head);for(let number of numbers){let place=make(
"td");if(number){let button=make("button");button.type="button";for(let part of["ours","paper","verdict"])button.append(
make("span",`hm-${part}`));place.append(button)}row.append(place)}all2.append(row)}return all2}function fill(table,data){
let rows=table.tBodies[0].rows;data.rows.forEach(({numbers},i)=>numbers.forEach((number,j)=>{if(!number)return;let button=one(
rows[i].cells[j+1],"button"),[ours,paper,verdict]=all(button,"span"),changed=ours.textContent&&ours.textContent!==number.
ours;ours.textContent=number.ours,paper.textContent=number.paper,verdict.textContent=number.verdict,verdict.dataset.kind=
number.kind,button.setAttribute("aria-label",number.sentence),button.setAttribute("aria-pressed",String(number.chosen)),
changed&&(button.classList.remove("hm-new"),requestAnimationFrame(()=>button.classList.add("hm-new")))}))}function mount({
parentElement,data,setTriggerValue}){let box=one(parentElement,".hm-published");if(box.dataset.about!==data.about){let table2=make(
"table");table2.append(make("caption","",data.caption),header(data),body(data)),table2.style.setProperty("--wide",`${10+
9.5*data.columns.length}rem`),box.replaceChildren(table2),box.dataset.about=data.about,box.setAttribute("aria-label",data.
caption)}let table=one(box,"table");fill(table,data),table.onclick=event=>{let place=event.target instanceof Element?event.
target.closest("button")?.closest("td"):null;place?.parentElement instanceof HTMLTableRowElement&&setTriggerValue("chose\
n",[place.parentElement.sectionRowIndex,place.cellIndex-1])}}export{mount as default};
