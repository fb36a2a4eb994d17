import { measureCalls } from './measure.ts'

for (const n of process.argv.slice(2)) {
  const t = performance.now()
  const r = await measureCalls(Number(n))
  console.log(n, ((performance.now() - t) / 1000).toFixed(1), 's', r.refused)
  console.log(r.firstMinute, r.steadyHour)
}
process.exit(0)
