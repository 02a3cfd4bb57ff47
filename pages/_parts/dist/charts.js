// Made by `npm run build`: change the sources and build again.
var Card=class{constructor(card){this.card=card}hide(){this.card.hidden=!0}showText(lines,x,y,width){if(!lines.length)return this.
hide();this.card.replaceChildren(...lines.map(text=>{let row=document.createElement("div");return row.textContent=text,row})),
this.place(x,y,width)}place(x,y,width){this.card.hidden=!1;let w=this.card.offsetWidth,h=this.card.offsetHeight;this.card.
style.left=`${Math.max(4,x+18+w>width?x-w-14:x+18)}px`,this.card.style.top=`${Math.max(4,y-h-10<0?y+18:y-h-10)}px`}};function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function penOf(canvas){return canvas.getContext("2d")}var TITLE=16,TEXT=14;function drawTitle(ctx,words,width,theme){ctx.font=`600 ${TITLE}px ${theme.font}`,ctx.fillStyle=theme.ink,ctx.textAlign=
"left",ctx.textBaseline="top",ctx.fillText(words,0,0,width),ctx.font=`${TEXT}px ${theme.font}`}function drawAbscissa(ctx,scale,plot,name,theme){
let bottom=plot.top+plot.height,end=plot.left+plot.width;ctx.fillStyle=theme.soft;let nameWidth=ctx.measureText(name).width;
ctx.textBaseline="top",ctx.textAlign="center";let free=-1/0;for(let{value,text}of scale.ticks(plot.width/(scale.floor?50:
80))){let x=plot.left+scale.share(value)*plot.width,half=ctx.measureText(text).width/2;x-half<free||x>=end-nameWidth-16||
(ctx.fillText(text,x,bottom+7),free=x+half+6)}ctx.textAlign="right",ctx.fillText(name,end,bottom+7)}function segment(ctx,x0,y0,x1,y1){ctx.beginPath(),ctx.moveTo(x0,y0),ctx.lineTo(x1,y1),ctx.stroke()}var FAR=[22,42,62],EDGE=4,box=(x,y,w,h)=>({x,y,w,h}),overlap=(a,b)=>Math.abs(a.x-b.x)<(a.w+b.w)/2&&Math.abs(a.y-b.y)<(a.
h+b.h)/2;function placeWords(x,y,width,height,plot,taken){let half=width/2,end=plot.left+plot.width,keep=v=>Math.min(end-
half-EDGE,Math.max(plot.left+half+EDGE,v)),boxes=FAR.flatMap(far=>[[0,-far],[0,far],[half+far-8,0],[-half-far+8,0],[half,
-far],[-half,far]]).map(([dx,dy])=>box(keep(x+dx),y+dy,width,height)),inside=boxes.filter(b=>b.y-height/2>plot.top+2&&b.
y+height/2<plot.top+plot.height-2),spot=inside.find(b=>!taken.some(other=>overlap(b,other)))??inside[0]??boxes[0];return taken.
push(spot),spot}function halo(ctx,words,x,y,colour,background,width){ctx.lineJoin="round",ctx.strokeStyle=background,ctx.
lineWidth=width,ctx.strokeText(words,x,y),ctx.fillStyle=colour,ctx.fillText(words,x,y)}var theme_default={light:{ink:"#1c2330",soft:"#566072",muted:"#8a94a6",accent:"#5b3fd6",good:"#0f8a5f",warn:"#b45309",bad:"\
#c2255c",background:"#ffffff",panel:"#f6f7f9",line:"#e3e6ec",onAccent:"#ffffff",classes:["#e8590c","#1f6feb","#0f8a5f","\
#a61e9a","#b58900","#0891b2","#7a4b1e","#d6336c","#6741d9","#5c940d"],strength:.56},dark:{ink:"#e8ecf3",soft:"#aab4c4",muted:"\
#7b8798",accent:"#a08cff",good:"#3fcf9b",warn:"#f5b942",bad:"#ff7aa2",background:"#0f131a",panel:"#171c26",line:"#2a3140",
onAccent:"#14102b",classes:["#ff8a4c","#5b9bff","#3fcf9b","#f07be0","#f2cf4a","#4fd3ee","#c89a6b","#ff7fa5","#b197fc","#\
a3d94f"],strength:.56}};var LIGHT={dark:!1,...theme_default.light},DARK={dark:!0,...theme_default.dark};function parseColour(text){let hex=text.
trim().match(/^#([0-9a-f]{6})$/i);if(hex){let v=parseInt(hex[1],16);return[v>>16,v>>8&255,v&255]}let rgb=text.match(/[\d.]+/g);
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}function mixColours(from,to,share){let a=parseColour(
from),b=parseColour(to);return a.map((v,i)=>Math.round(v+(b[i]-v)*share))}function rgbText(rgb){return`rgb(${rgb.join(",")}\
)`}function readTheme(root){let background=getComputedStyle(root).getPropertyValue("--st-background-color").trim(),[r,g,
b]=parseColour(background||"#ffffff"),base=.3*r+.59*g+.11*b<128?DARK:LIGHT,panel=getComputedStyle(root).getPropertyValue(
"--st-secondary-background-color").trim(),theme={...base,background:background||base.background,panel:panel||base.panel,
font:getComputedStyle(root).fontFamily};for(let role of["ink","soft","muted","accent","good","warn","bad","background","\
panel","line"])root.style.setProperty(`--hm-${role}`,theme[role]);return root.style.setProperty("--hm-on-accent",theme.onAccent),
root.dataset.theme=theme.dark?"dark":"light",theme}function classColour(theme,c){let colour=theme.classes[c%10];return c<
10?colour:rgbText(mixColours(colour,theme.ink,.35))}function roleColour(theme,role){let match=/^class(\d+)$/.exec(role);
return match?classColour(theme,Number(match[1])):theme[role]?String(theme[role]):theme.ink}var SIDES={square:[4,Math.PI/4],up:[3,0],diamond:[4,0],down:[3,Math.PI],pentagon:[5,0],hexagon:[6,0]};var LEGEND_TEXT=14,LINE=30;function drawLegend(ctx,entries,width,theme,paint=!0){ctx.font=`${LEGEND_TEXT}px ${theme.font}`;let x=0,y=12;for(let entry of entries){
let sample=entry.width??LINE,w=sample+6+ctx.measureText(entry.text).width;x&&x+w>width&&(x=0,y+=24),paint&&(ctx.save(),ctx.
translate(x+sample/2,y),entry.paint(ctx),ctx.restore(),ctx.fillStyle=theme.soft,ctx.textAlign="left",ctx.textBaseline="m\
iddle",ctx.fillText(entry.text,x+sample+6,y)),x+=w+20}return y+12}var CORNERS={"triangle-up":3,"triangle-down":3,diamond:4,pentagon:5,hexagon:6,star:10};function outline(ctx,colour,width){
ctx.strokeStyle=colour,ctx.lineWidth=width,ctx.stroke()}function markPath(ctx,mark,x,y,r){if(ctx.beginPath(),mark==="cir\
cle")ctx.arc(x,y,r,0,2*Math.PI);else if(mark==="square")ctx.rect(x-.88*r,y-.88*r,1.76*r,1.76*r);else if(mark==="cross")ctx.
moveTo(x-r,y),ctx.lineTo(x+r,y),ctx.moveTo(x,y-r),ctx.lineTo(x,y+r);else{let corners=CORNERS[mark],way=mark==="triangle-\
down"?-1:1;for(let i=0;i<corners;i++){let angle=2*Math.PI*i/corners,size=mark==="star"&&i%2?.42*r:1.15*r;ctx[i?"lineTo":
"moveTo"](x+size*Math.sin(angle),y-way*size*Math.cos(angle))}ctx.closePath()}}var SUPERSCRIPT={"-":"⁻",0:"⁰",1:"¹",2:"²",3:"³",4:"⁴",5:"⁵",6:"⁶",7:"⁷",8:"⁸",9:"⁹"},UNKNOWN="–",SHORTEST=9995e-7,
LONGEST_PLAIN=1e5,EXACT=6;function powerOfTen(exponent){return`10${[...String(exponent)].map(c=>SUPERSCRIPT[c]).join("")}`}
function grouped(digits){let[whole,rest]=digits.split("."),apart=whole.replace(/\B(?=(\d{3})+$)/g,",");return rest===void 0?
apart:`${apart}.${rest}`}function plainDigits(size,digits){return grouped(size<10**digits-.5?String(Number(size.toPrecision(
digits))):size.toFixed(0))}function asPower(size,digits){let[first,exponent]=size.toExponential(digits-1).split("e"),ten=powerOfTen(
Number(exponent)),shorter=first.includes(".")?first.replace(/\.?0+$/,""):first;return shorter==="1"?ten:`${shorter}·${ten}`}
function signed(v,text){return v<0?`−${text}`:text}function formatNumber(v,digits=3){if(!Number.isFinite(v))return UNKNOWN;if(v===0)return"0";let size=Math.abs(v),plain=size>=
SHORTEST&&size<Math.max(LONGEST_PLAIN,10**digits)-.5;return signed(v,plain?plainDigits(size,digits):asPower(size,digits-
1))}function tickTexts(ticks){let largest=Math.max(...ticks.map(Math.abs)),step=ticks[1]-ticks[0];if(ticks.length<2||largest===
0)return ticks.map(v=>formatNumber(v,EXACT));let digits=decade(largest)-decade(step)+1;if(digits>EXACT)return ticks.map(
(v,i)=>i?`+${formatNumber(v-ticks[0])}`:formatNumber(v,EXACT));let plain=largest>=SHORTEST&&largest<LONGEST_PLAIN-.5;return ticks.
map(v=>{let size=Math.abs(v),own=Math.max(1,digits+decade(size)-decade(largest));return v===0?"0":signed(v,(plain?plainDigits:
asPower)(size,own))})}function decade(size){return Math.floor(Math.log10(size)+1e-9)}var MANTISSAS=[[1,2,3,4,5,6,7,8,9],[1,2,3,5,7],[1,2,5],[1,3],[1]],CROWD=100;function niceStep(low,high,count,whole=!1){let pieces=Math.
min(CROWD,Math.max(1,count)),finest=1e-14*Math.max(Math.abs(low),Math.abs(high)),raw=Math.max(high/pieces-low/pieces,finest,
1e-300),power=10**Math.floor(Math.log10(raw)),off=m=>Math.abs(Math.log(m*power/raw)),step=power*[1,2,5,10].reduce((best,m)=>off(
m)<off(best)?m:best);return whole?Math.max(1,Math.round(step)):step}function multiples(first,last,step){let n=Math.min(2*
CROWD,last-first+1);return Array.from({length:Math.max(0,n)||0},(_,k)=>Number(((first+k)*step).toPrecision(15)))}function niceTicks(low,high,count,whole=!1){
if(!(high>low)||!Number.isFinite(high)||!Number.isFinite(low))return Number.isFinite(low)?[low]:[];let step=niceStep(low,
high,count,whole),near=1e-9,ticks=multiples(Math.ceil(low/step-near),Math.floor(high/step+near),step);return ticks.length||
whole?ticks:[low]}function logTicks(low,high,count){let first=Math.floor(Math.log10(low)),decades=Array.from({length:Math.
ceil(Math.log10(high))-first+1},(_,i)=>first+i),found=[];for(let some of MANTISSAS)if(found=decades.flatMap(e=>some.map(
m=>+`${m}e${e}`)).filter(v=>low<=v&&v<=high),found.length<=count)break;let every=Math.ceil(found.length/Math.max(1,count));
return every>1&&(found=found.filter((_,i)=>i%every===0)),found.length>1?found:niceTicks(low,high,count/2)}var STRIP=.07,DECADES=8;function makeScale(low,high,floor=null,whole=!1){if(floor===null)return{floor,share:v=>high>low?
(v-low)/(high-low):.5,value:s=>low+s*(high-low),ticks:count=>{let values=niceTicks(low,high,count,whole),texts=tickTexts(
values);return values.map((value,i)=>({value,text:texts[i]}))}};let decades=Math.log10(high/floor);return{floor,share:v=>v<=
floor?STRIP*v/floor:STRIP+(1-STRIP)*Math.log10(v/floor)/decades,value:s=>s<=STRIP?floor*s/STRIP:floor*10**((s-STRIP)/(1-
STRIP)*decades),ticks:count=>decadeTicks(floor,high,Math.min(count,DECADES))}}function makeLogScale(low,high){let span=Math.
log10(high/low);return{floor:null,share:v=>Math.log10(v/low)/span,value:s=>low*10**(s*span),ticks:count=>{let values=logTicks(
low,high,count),digits=3;for(;digits<15&&new Set(values.map(v=>formatNumber(v,digits))).size<values.length;)digits+=1;return values.
map(value=>({value,text:formatNumber(value,digits)}))}}}function decadeTicks(floor,high,count){let a=Math.ceil(Math.log10(
floor)-1e-9),b=Math.floor(Math.log10(high)+1e-9),step=Math.max(1,Math.ceil((b-a)/Math.max(1,count-1))),ticks=[{value:0,text:"\
0"}];for(let e=a;e<=b;e+=step)ticks.push({value:10**e,text:formatNumber(+`1e${e}`)});return ticks}var ROOM=.07,NAMES=.42,NEAR=22,TICK=80,ROW=36,FOOT=48,EDGE2=10,DASHES={solid:[],dash:[9,4],dot:[2,4],dashdot:[11,4,2,4]};
function scaleOf(axis,values){let known=values.filter(v=>Number.isFinite(v)&&(!axis.log||v>0)),low=known.length?Math.min(
...known):1,high=known.length?Math.max(...known):1;if(axis.log){let room2=Math.max((high/low)**ROOM,1.25);return makeLogScale(
low/room2,high*room2)}let room=ROOM*(high-low||Math.abs(high)||1);if(!axis.percent)return makeScale(low-room,high+room);
let scale=makeScale(100*(low-room),100*(high+room));return{...scale,share:v=>scale.share(100*v),value:s=>scale.value(s)/
100,ticks:count=>scale.ticks(count).map(({value,text})=>({value:value/100,text:`${text} %`}))}}function rowsOf(names){return{
floor:null,share:row=>1-(row+.5)/names.length,value:s=>(1-s)*names.length-.5,ticks:()=>names.map((text,value)=>({value,text}))}}
function layoutChart(ctx,chart,width,theme){let{x,y,marks,band,at}=chart,entries=legendOf(chart,theme),top=chart.title?TITLE+
10:4,legendTop=top;entries.length&&(top+=drawLegend(ctx,entries,width,theme,!1)+6),ctx.font=`${TEXT}px ${theme.font}`;let height=chart.
height-top-FOOT,down=y.names.length?rowsOf(y.names):scaleOf(y,[0,...marks.flatMap(m=>m.y)]),rows=down.ticks(height/ROW).
filter(({value})=>y.names.length||value>=0),widest=Math.max(0,...rows.map(({text})=>ctx.measureText(text).width)),left=Math.
min(NAMES*width,widest+EDGE2),plot={left,top,width:width-left-EDGE2,height},across=scaleOf(x,[...marks.flatMap(m=>[...m.
x,...m.low,...m.high]),...band,...at===null?[]:[at]]);return{entries,legendTop,rows,across,plot,toX:v=>plot.left+plot.width*
across.share(v),toY:v=>plot.top+plot.height*(1-down.share(v))}}function legendOf({marks},theme){return marks.filter(({name})=>name).
map(row=>({text:row.name,width:20,paint:ctx=>drawMark(ctx,row,0,0,theme)}))}function drawMark(ctx,{symbol,size,hollow,role},x,y,theme){
let colour=roleColour(theme,role);markPath(ctx,symbol,x,y,size),outline(ctx,theme.background,hollow?5:3),ctx.fillStyle=hollow?
theme.background:colour,ctx.fill(),hollow&&outline(ctx,colour,2)}function drawChart(ctx,chart,width,theme){ctx.fillStyle=
theme.background,ctx.fillRect(0,0,width,chart.height),chart.title&&drawTitle(ctx,chart.title,width,theme);let lay=layoutChart(
ctx,chart,width,theme);ctx.save(),ctx.translate(0,lay.legendTop),drawLegend(ctx,lay.entries,width,theme),ctx.restore(),ctx.
font=`${TEXT}px ${theme.font}`,drawGrid(ctx,chart,theme,lay);for(let row of chart.marks)drawLines(ctx,row,theme,lay);for(let row of chart.
marks)row.symbol&&row.x.forEach((v,i)=>drawMark(ctx,row,lay.toX(v),lay.toY(row.y[i]),theme));return drawWords(ctx,chart,
theme,lay),lay}function drawGrid(ctx,{x,y,band,at},theme,{rows,across,plot,toX,toY}){let{left,top,width,height}=plot,bottom=top+
height;band.length&&(ctx.fillStyle=theme.good,ctx.globalAlpha=.14,ctx.fillRect(toX(band[0]),top,toX(band[1])-toX(band[0]),
height),ctx.globalAlpha=1),ctx.lineWidth=1,ctx.strokeStyle=theme.line;for(let{value}of across.ticks(width/TICK))segment(
ctx,toX(value),top,toX(value),bottom);ctx.textBaseline="middle",ctx.textAlign="right",ctx.fillStyle=theme.soft;for(let{value,
text}of rows)segment(ctx,left,toY(value),left+width,toY(value)),ctx.fillText(text,left-8,toY(value),left-8);drawAbscissa(
ctx,across,plot,"",theme),ctx.textAlign="right",ctx.fillText(x.title,left+width,bottom+27,left+width),ctx.textAlign="lef\
t",halo(ctx,y.title,left+4,top+2,theme.soft,theme.background,4),at!==null&&(ctx.strokeStyle=theme.soft,ctx.lineWidth=1.4,
ctx.setLineDash([4,3]),segment(ctx,toX(at),top,toX(at),bottom),ctx.setLineDash([]))}function drawLines(ctx,{x,y,low,high,
line,role},theme,{toX,toY}){ctx.strokeStyle=roleColour(theme,role),ctx.lineWidth=1.6,line&&(ctx.setLineDash(DASHES[line]),
ctx.beginPath(),x.forEach((v,i)=>ctx[i?"lineTo":"moveTo"](toX(v),toY(y[i]))),ctx.stroke(),ctx.setLineDash([])),low.forEach(
(from,i)=>{let at=toY(y[i]);segment(ctx,toX(from),at,toX(high[i]),at);for(let end of[from,high[i]])segment(ctx,toX(end),
at-4,toX(end),at+4)})}function drawWords(ctx,{marks},theme,{plot,toX,toY}){let taken=marks.flatMap(row=>row.words.map((_,i)=>({
x:toX(row.x[i]),y:toY(row.y[i]),w:2*row.size,h:2*row.size})));ctx.textAlign="center",ctx.textBaseline="middle";for(let{x,
y,words}of marks)words.forEach((text,i)=>{let place=placeWords(toX(x[i]),toY(y[i]),ctx.measureText(text).width+6,TEXT+6,
plot,taken);halo(ctx,text,place.x,place.y,theme.ink,theme.background,4)})}function saidAt({marks},{toX,toY},px,py){let best="",
least=NEAR;for(let{x,y,said}of marks)said.forEach((text,i)=>{let d=Math.hypot(toX(x[i])-px,toY(y[i])-py);d<least&&([least,
best]=[d,text])});return best}var MOST_SCALE=3,DrawnChart=class{constructor(chart){this.chart=chart,this.root=document.createElement("div"),this.root.
className="hm-chart",this.canvas=document.createElement("canvas"),this.canvas.setAttribute("role","img"),this.canvas.setAttribute(
"aria-label",chart.alt),this.canvas.style.height=`${chart.height}px`;let card=document.createElement("div");card.className=
"hm-card",this.card=new Card(card),this.card.hide(),this.root.append(this.canvas,card),this.canvas.addEventListener("poi\
ntermove",event=>this.tell(event)),this.canvas.addEventListener("pointerdown",event=>this.tell(event)),this.canvas.addEventListener(
"pointerleave",()=>this.card.hide())}draw(){let width=this.canvas.clientWidth,scale=Math.min(MOST_SCALE,window.devicePixelRatio||
1);if(!width)return;this.canvas.width=Math.round(width*scale),this.canvas.height=Math.round(this.chart.height*scale);let ctx=penOf(
this.canvas);ctx.scale(scale,scale),this.lay=drawChart(ctx,this.chart,width,readTheme(this.root)),this.root.dataset.drawn=
"1"}tell({offsetX,offsetY}){if(!this.lay)return;let said=saidAt(this.chart,this.lay,offsetX,offsetY);this.card.showText(
said?said.split(`
`):[],offsetX,offsetY,this.canvas.clientWidth)}};function mount({parentElement,data}){let box2=one(parentElement,".hm-ch\
arts"),drawn=data.charts.map(chart=>new DrawnChart(chart));box2.replaceChildren(...drawn.map(({root})=>root));let draw=()=>drawn.
forEach(chart=>chart.draw()),observer=new ResizeObserver(draw);return observer.observe(box2),document.fonts.ready.then(draw),
()=>observer.disconnect()}export{mount as default};
