// npm test [FILTER …]: installs what is missing, runs all tests that every change must pass, and ends with the totals. With a filter, runs
// the test files whose paths contain it, regardless of their cost. npm test -- --change: also runs the expensive tests that the change can
// affect (tests/support/suites.ts), within the budget KERF_TEST_BUDGET_SECONDS. npm run nightly [-- --part K/N] [--coverage] [FILTER …]:
// runs every test completely, with new inputs for the property tests. Records what each file uses in .cache/test-costs and updates
// tests/support/costs/table.json with it. With --coverage, updates what the files cover instead.
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ensureInstalled, pinnedNode, root } from './pinned-node.mjs'
import { choosePropertySeed } from './property-seed.mjs'
import { sampleSeed } from './sample-seed.mjs'
import { secondsVariable } from './seconds-variable.mjs'
import { testTools } from './test-tools.mjs'
import { slowestText, stoppedText, testTotals, totalsLine } from './test-totals.mjs'

const required = new Set(
  (process.env['KERF_TEST_REQUIRE'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

/** Exits with code 2 if KERF_TEST_REQUIRE contains an unknown tool. */
const checkRequired = () => {
  const unknown = [...required].find((name) => !testTools.some((tool) => tool.name === name))
  if (unknown === undefined) return
  process.stderr.write(
    `KERF_TEST_REQUIRE: unknown name "${unknown}"; known: ${testTools.map((tool) => tool.name).join(', ')}\n`,
  )
  process.exit(2)
}

/** Returns the seconds after which the run is stopped. Exits with code 2 if KERF_TEST_LIMIT_SECONDS is invalid. */
const readLimit = (ring) => {
  try {
    return secondsVariable(process.env, 'KERF_TEST_LIMIT_SECONDS', LIMIT_MINUTES[ring] * 60)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

const RINGS = { '--change': 'change', '--nightly': 'nightly' }
/** For each ring, the minutes after which a run is stopped: several times as long as a run takes on two idle cores. */
const LIMIT_MINUTES = { test: 30, change: 60, nightly: 240 }

const readArguments = () => {
  const words = process.argv.slice(2)
  const ring = Object.entries(RINGS).find(([option]) => words.includes(option))?.[1] ?? 'test'
  const measuresCoverage = words.includes('--coverage')
  return { ring, measuresCoverage, words: words.filter((word) => !Object.hasOwn(RINGS, word) && word !== '--coverage') }
}

/** The folder for the costs of test files. A nightly run always writes them; other runs do so only if KERF_TEST_COSTS is set. */
const COSTS = process.env['KERF_TEST_COSTS'] ?? join(root, '.cache', 'test-costs')

/** Updates the table of test costs with the costs that a nightly run has recorded. */
const renewCosts = (measuresCoverage) => {
  const args = ['tools/test-costs.ts', '--from', COSTS, ...(measuresCoverage ? ['--keep-seconds'] : [])]
  spawnSync(pinnedNode, ['--disable-warning=ExperimentalWarning', ...args], { cwd: root, stdio: 'inherit' })
}

/**
 * Returns which test files to run, why, and which tools each needs (tests/support/selection/choose-tests.ts). If that fails, ends the
 * process.
 */
const chooseTests = (ring, words) => {
  const { status, stdout } = spawnSync(
    pinnedNode,
    ['--disable-warning=ExperimentalWarning', 'tests/support/selection/choose-tests.ts', ring, ...words],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  if (status !== 0) process.exit(status ?? 1)
  return JSON.parse(stdout)
}

const filesThatNeed = (count) => (count === 1 ? '1 test file that needs' : `${count} test files that need`)

/** Finds or builds the tools that the chosen files need. Prints which tests are left out because a tool is missing. */
const lookForTools = (files, needs) => {
  const leftOut = new Set()
  let missing = 0
  for (const { name, is, remedy, have, isForSomeTests } of testTools) {
    const using = files.filter((file) => needs[file]?.includes(name))
    if ((using.length === 0 && !required.has(name)) || have(required.has(name))) continue
    if (isForSomeTests !== true) for (const file of using) leftOut.add(file)
    if (required.has(name)) {
      missing += 1
      process.stdout.write(`failed: KERF_TEST_REQUIRE names ${name}, but there is no ${is}. Remedy: ${remedy}\n`)
    } else {
      process.stdout.write(
        `skipped: ${isForSomeTests === true ? 'tests of ' : ''}${filesThatNeed(using.length)} the ${name} tool: no ${is}. To run them: ${remedy}\n`,
      )
    }
  }
  return { leftOut, missing }
}

/** Runs Vitest until it ends or reaches the limit. Returns its report, if it wrote one, and whether it succeeded. */
const runVitest = async (choice, { ring, propertySeed, samples, limitSeconds, measuresCoverage }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'kerf-test-'))
  const reportFile = join(scratch, 'report.json')
  const choiceFile = join(scratch, 'choice.json')
  writeFileSync(choiceFile, JSON.stringify(choice))
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tools', 'totals-reporter.mjs')}`]
  const vitest = spawn(pinnedNode, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A new process group, so that the workers can be ended together with Vitest.
    detached: process.platform !== 'win32',
    env: {
      ...process.env,
      KERF_TEST_REPORT: reportFile,
      KERF_TEST_CHOICE: choiceFile,
      KERF_TEST_LIMIT_SECONDS: String(limitSeconds),
      // Hundreds of processes load the same modules. With this cache, each module is stripped of its types and compiled only once.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules', '.cache', 'kerf-compiled'),
      ...(propertySeed === undefined ? {} : { KERF_PROPERTY_SEED: propertySeed }),
      ...(samples === undefined ? {} : { KERF_SAMPLE_SEED: samples }),
      ...(ring === 'nightly' ? { KERF_NIGHTLY: '1', KERF_TEST_COSTS: COSTS } : {}),
      ...(measuresCoverage ? { KERF_TEST_COVERAGE: '1' } : {}),
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => endGroup(vitest, signal))
  const succeeded = await new Promise((resolve) => {
    vitest.on('error', () => resolve(false))
    vitest.on('close', (code) => resolve(code === 0))
  })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined
  // Ends the workers of a run that was stopped.
  endGroup(vitest, 'SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
  return { report, succeeded }
}

const endGroup = ({ pid }, signal) => {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Returns the hash of HEAD. Returns undefined in a tree without git. */
const headCommit = () => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout.trim() : undefined
}

const minutes = (seconds) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

const main = async () => {
  const began = performance.now()
  const { ring, measuresCoverage, words } = readArguments()
  checkRequired()
  const limitSeconds = readLimit(ring)
  ensureInstalled()
  const { text, testFiles, files, needs, longestFirst, expectedSeconds } = chooseTests(ring, words)
  process.stdout.write(text)
  const { leftOut, missing } = lookForTools(files, needs)
  const chosen = files.filter((file) => !leftOut.has(file))
  const isChosen = new Set(chosen)
  const properties = choosePropertySeed(process.env, ring === 'nightly', randomInt)
  const samples = sampleSeed(process.env, ring === 'nightly', headCommit())
  process.stdout.write(
    `${chosen.length} of ${testFiles.length} test files, about ${minutes(expectedSeconds)} on two cores\n`,
  )
  process.stdout.write(properties.text)
  process.stdout.write(samples.text)
  if (ring === 'nightly') {
    rmSync(COSTS, { recursive: true, force: true })
    mkdirSync(COSTS, { recursive: true })
  }
  const { report, succeeded } = await runVitest(
    { excluded: testFiles.filter((file) => !isChosen.has(file)), longestFirst },
    {
      ring,
      measuresCoverage,
      propertySeed: properties.seed,
      samples: samples.seed,
      limitSeconds,
    },
  )

  if (ring === 'nightly' || process.env['KERF_TEST_COSTS'] !== undefined)
    writeFileSync(join(COSTS, 'report.json'), JSON.stringify(report ?? {}))
  if (ring === 'nightly') renewCosts(measuresCoverage)
  const totals = testTotals(report, succeeded)
  totals.failed += missing
  process.stdout.write(slowestText(report))
  process.stdout.write(stoppedText(report))
  process.stdout.write(properties.text)
  process.stdout.write(samples.text)
  process.stdout.write(`the run took ${minutes((performance.now() - began) / 1000)}\n`)
  process.stdout.write(`${totalsLine(totals)}\n`)
  process.exitCode = totals.failed === 0 ? 0 : 1
}

await main()
