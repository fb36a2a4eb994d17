import { createAlibabaHarness } from './testing/alibaba-harness.ts'
for (let i = 0; i < 10; i++) { const h = await createAlibabaHarness({ seed: i }); h.stop() }
const c0 = process.cpuUsage()
for (let i = 0; i < 60; i++) { const h = await createAlibabaHarness({ seed: i }); if(i===0) console.log(h.alibaba.requests.map(({action,at})=>action+' '+at).join('\n')); h.stop() }
const c = process.cpuUsage(c0)
console.log((c.user+c.system)/60000, 'ms cpu a harness')
