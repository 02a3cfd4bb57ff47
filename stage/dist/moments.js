// Made by `npm run build`: change the sources and build again.
function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function cell(tag,child){let made=document.createElement(tag);return made.append(child),made}function address(query,t){let words=new URLSearchParams(
query);return words.set("t",String(t)),`?${words.toString().replaceAll("%2C",",")}`}function mount({parentElement,data}){
let root=one(parentElement,".hm-moments"),stage=()=>[...window.halfmoonStages??[]].find(s=>s.view?.key===data.stage),heads=document.
createElement("tr");heads.append(...data.columns.map(name=>cell("th",name))),one(root,"thead").replaceChildren(heads);let rows=data.
rows.map(({t,cells})=>{let row=document.createElement("tr"),link=document.createElement("a");return link.href=address(data.
query,t),link.textContent=cells[0],row.append(cell("td",link),...cells.slice(1).map(words=>cell("td",words))),row.onclick=
e=>{e.ctrlKey||e.metaKey||e.shiftKey||(e.preventDefault(),stage()?.time.seekIteration(t))},row});one(root,"tbody").replaceChildren(
...rows);let mark=()=>{let t=stage()?.time.moment;rows.forEach((row,i)=>{t!==void 0&&t>=data.rows[i].t&&t<=data.rows[i].
last?row.setAttribute("aria-current","true"):row.removeAttribute("aria-current")})};return mark(),document.addEventListener(
"halfmoon-place",mark),()=>document.removeEventListener("halfmoon-place",mark)}export{mount as default};
