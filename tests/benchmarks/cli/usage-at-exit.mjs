// Loaded into every Node.js process of a measured command. When the process ends, writes what the process used. Plain JavaScript, because
// the launcher runs on any installed Node.js.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env['KERF_BENCH_USAGE']
/** Returns the peak memory in MiB. `resourceUsage` is only a fallback, because its value starts at the size of the parent process. */
const peak = () => {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kibibytes) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

if (isMainThread && folder !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(
      join(folder, `${process.pid}.json`),
      JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: peak() }),
    )
  })
}
