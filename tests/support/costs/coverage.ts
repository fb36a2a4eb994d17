import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The coverage of one script in V8 (Chrome DevTools Protocol, Profiler.ScriptCoverage). */
interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

const lineStarts = new Map<string, readonly number[]>()
const lineAtOffset = (path: string, offset: number): number => {
  let starts = lineStarts.get(path)
  if (starts === undefined) {
    starts = [...readFileSync(path, 'utf8').matchAll(/\n/g)].map(({ index }) => index)
    lineStarts.set(path, starts)
  }
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low + 1
}

const isProduct = (path: string): boolean =>
  !/^\.\.|node_modules|\.test\.ts$|\/testing\/|^(?:tests\/(?!simulation\/)|tools)\/|^providers\/[^/]+\/tests?\//.test(
    path,
  ) && /\.tsx?$/.test(path)

/** Records which functions of the product ran during one test file, in its own process and in the Node.js processes that it started. */
export class CoverageOfFile {
  readonly #session = new Session()
  readonly #ofChildren = mkdtempSync(join(tmpdir(), 'kerf-coverage-'))
  readonly #lines = new Map<string, Set<number>>()

  async start(): Promise<void> {
    // A Node.js process writes its coverage when it ends (see NODE_V8_COVERAGE in the documentation of Node's command line).
    process.env['NODE_V8_COVERAGE'] = this.#ofChildren
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
  }

  /** Returns, for each file, the first lines of the functions that ran. */
  async finish(): Promise<Readonly<Record<string, readonly number[]>>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    this.#session.disconnect()
    delete process.env['NODE_V8_COVERAGE']
    this.#add(result)
    for (const name of readdirSync(this.#ofChildren)) {
      try {
        this.#add(
          (JSON.parse(readFileSync(join(this.#ofChildren, name), 'utf8')) as { result: ScriptCoverage[] }).result,
        )
      } catch {
        // The process was killed while it was writing the file.
      }
    }
    rmSync(this.#ofChildren, { recursive: true, force: true })
    const files = [...this.#lines].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(files.map(([path, lines]) => [path, [...lines].toSorted((a, b) => a - b)]))
  }

  #add(scripts: readonly ScriptCoverage[]): void {
    for (const { url, functions } of scripts) {
      if (!url.startsWith('file://')) continue
      const full = fileURLToPath(url.replace(/\?.*$/, ''))
      const path = relative(process.cwd(), full)
      if (!isProduct(path)) continue
      for (const { functionName, ranges } of functions) {
        const [range] = ranges
        // An unnamed function at offset 0 is the module itself. It runs when the module is imported.
        if (range === undefined || range.count === 0 || (functionName === '' && range.startOffset === 0)) continue
        const lines = this.#lines.get(path) ?? new Set()
        lines.add(lineAtOffset(full, range.startOffset))
        this.#lines.set(path, lines)
      }
    }
  }
}
