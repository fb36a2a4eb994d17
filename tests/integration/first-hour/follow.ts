// node tests/integration/first-hour/follow.ts NAME: runs all steps of one first hour, in order. `npm run bench:cli` uses this.
import { type HourName, readHour, Walk } from './hour.ts'

const name = process.argv[2] as HourName
const hour = readHour(name)
const walk = new Walk(name, hour)
try {
  for (const step of hour.steps) {
    const began = performance.now()
    const { exit, output } = await walk.take(step)
    process.stdout.write(
      `${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${step.types ?? 'Ctrl-C'}\n`,
    )
    if (exit !== (step.exit ?? 0)) throw new Error(`${step.types} ended with ${exit}: ${output.slice(-1_000)}`)
  }
} finally {
  await walk.close()
}
