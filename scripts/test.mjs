// npm test [FILTER …]: installs what is missing, runs every test this machine can run, ends with the totals.
// npm run nightly [FILTER …]: the same with fresh inputs for the property tests.
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ensureInstalled, isInstalled, pinnedNode, root } from './pinned-node.mjs'
import { propertySeedOf } from './property-seed.mjs'
import { slowestText, totalsLine, totalsOf } from './test-totals.mjs'

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Builds the control plane when it can be built and the whole suite is asked for. */
const haveCluster = (filters) => {
  const buildable = filters.length === 0 || required.has('cluster')
  if (buildable && runs('go', ['version'])) {
    return spawnSync(pinnedNode, ['test/cluster/build.ts'], { cwd: root, stdio: 'inherit' }).status === 0
  }
  return spawnSync(pinnedNode, ['test/cluster/build.ts', '--look'], { cwd: root, stdio: 'ignore' }).status === 0
}

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** Chromium, and the built dashboard or the plugin's toolchain, which are not part of the root's install. */
const haveBrowser = () =>
  haveChromium() &&
  (required.has('browser') ||
    ['node_modules', '.kerf/built'].some((made) => existsSync(join(root, 'headlamp-plugin', made))))
const haveChromium = () => {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') return existsSync(given)
  return chromiumNames.some((name) => runs(name, ['--version']))
}

/**
 * Builds what is pinned, by default with `test/cluster/build-NAME.ts`, when it can be built and its tests are asked for.
 */
const haveBuilt =
  (name, folders, script = `test/cluster/build-${name}.ts`) =>
  (filters) => {
    const isAsked = (filter) => folders.some((folder) => filter.includes(folder))
    const wanted = filters.length === 0 || required.has(name) || filters.some(isAsked)
    const args = [script, ...(wanted ? [] : ['--look'])]
    return spawnSync(pinnedNode, args, { cwd: root, stdio: wanted ? 'inherit' : 'ignore' }).status === 0
  }

/** The toolchain of the site is installed when its tests are asked for: it is small, but no part of the root's install. */
const haveSite = (filters) =>
  haveChromium() &&
  (required.has('site') || filters.some((filter) => filter.includes('site')) || isInstalled(join(root, 'site')))

const havePython = () => runs('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'])

/** What a test may need beyond Node, and the ending of the test files that do; cluster suites skip themselves. */
const tools = [
  {
    name: 'cluster',
    is: 'real control plane',
    remedy: 'install Go, or set KUBEBUILDER_ASSETS',
    have: haveCluster,
    ending: undefined,
  },
  {
    name: 'browser',
    is: 'Chromium with the installed plugin toolchain',
    remedy: 'install Chromium (or set CHROMIUM_PATH), and run: npm run build:dashboard',
    have: haveBrowser,
    ending: '.browser.test.ts',
  },
  {
    name: 'site',
    is: 'Chromium with the installed toolchain of the site',
    remedy: 'install Chromium (or set CHROMIUM_PATH), and run: npm run site',
    have: haveSite,
    ending: '.site.test.ts',
  },
  {
    name: 'promtool',
    is: 'promtool, which comes with Prometheus',
    remedy: 'install Prometheus (Debian and Ubuntu: apt-get install prometheus)',
    have: () => runs('promtool', ['--version']),
    ending: '.promtool.test.ts',
  },
  {
    name: 'aws',
    is: 'Python 3.10 or newer with venv',
    remedy: 'install python3 and python3-venv',
    have: havePython,
    ending: '.aws.test.ts',
  },
  {
    name: 'helm',
    is: 'Helm 3',
    remedy: 'install Go, or set HELM_PATH to a helm of version 3.14 or newer',
    have: haveBuilt('helm', ['install', 'image.registry', 'operations']),
    ending: '.helm.test.ts',
  },
  {
    name: 'registry',
    is: 'registry for container images',
    remedy: 'install Go, or set CRANE_PATH to a crane of version 0.20 or newer',
    have: haveBuilt('registry', ['image.registry']),
    // They use the emulated AWS account as well: without the one or the other tool they are left out.
    ending: '.registry.aws.test.ts',
  },
  {
    name: 'rehearsal',
    is: 'Helm, registry, krew and Verdaccio for the rehearsal of a release',
    remedy: 'install Go, which builds them',
    have: haveBuilt('rehearsal', ['release'], 'test/release/build.ts'),
    ending: '.rehearsal.test.ts',
  },
  {
    name: 'cluster-api',
    is: 'Cluster API beside the real control plane',
    remedy: 'install Go',
    have: haveBuilt('cluster-api', ['cluster-api'], 'test/cluster-api/build.ts'),
    ending: '.cluster-api.test.ts',
  },
]

const required = new Set(
  (process.env['KERF_TEST_REQUIRE'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

const testFiles = () => {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  // Without git (an unpacked archive) nothing is known about the files: assume that they are there.
  return listed.status === 0 ? listed.stdout.split('\n') : tools.flatMap(({ ending }) => ending ?? [])
}

/** Ends with exit code 2 when KERF_TEST_REQUIRE names a tool that does not exist. */
const checkRequired = () => {
  const unknown = [...required].find((name) => !tools.some((tool) => tool.name === name))
  if (unknown === undefined) return
  process.stderr.write(
    `KERF_TEST_REQUIRE: unknown name "${unknown}"; known: ${tools.map((tool) => tool.name).join(', ')}\n`,
  )
  process.exit(2)
}

/** Which tests are left out because a tool is missing, and how many of these tools are required. Says so on standard output. */
const lookForTools = (filters) => {
  const files = testFiles()
  const excluded = []
  let missing = 0
  for (const { name, is, remedy, have, ending } of tools) {
    const used = ending === undefined || files.some((file) => file.endsWith(ending))
    if ((!used && !required.has(name)) || have(filters)) continue
    if (ending !== undefined) excluded.push('--exclude', `**/*${ending}`)
    if (required.has(name)) {
      missing += 1
      process.stdout.write(`failed: KERF_TEST_REQUIRE names ${name}, but there is no ${is}. Remedy: ${remedy}\n`)
    } else {
      process.stdout.write(`skipped: tests that need the ${name} tool: no ${is}. To run them: ${remedy}\n`)
    }
  }
  return { excluded, missing }
}

/** Runs Vitest to its end. Returns its report, if it wrote one, and whether it succeeded. */
const runVitest = async (args, propertySeed, isNightly) => {
  const scratch = mkdtempSync(join(tmpdir(), 'kerf-test-'))
  const reportFile = join(scratch, 'report.json')
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'totals-reporter.mjs')}`]
  const vitest = spawn(pinnedNode, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      KERF_TEST_REPORT: reportFile,
      // Hundreds of processes load the same modules: each is stripped of its types and compiled once.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules', '.cache', 'kerf-compiled'),
      ...(propertySeed === undefined ? {} : { KERF_PROPERTY_SEED: propertySeed }),
      ...(isNightly ? { KERF_NIGHTLY: '1' } : {}),
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    },
  })
  // A terminal's Ctrl-C reaches Vitest too; a signal sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => vitest.kill(signal))
  const succeeded = await new Promise((resolve) => {
    vitest.on('error', () => resolve(false))
    vitest.on('close', (code) => resolve(code === 0))
  })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined
  rmSync(scratch, { recursive: true, force: true })
  return { report, succeeded }
}

const main = async () => {
  const isNightly = process.argv.includes('--nightly')
  const filters = process.argv.slice(2).filter((argument) => argument !== '--nightly')
  checkRequired()
  ensureInstalled()
  const { excluded, missing } = lookForTools(filters)
  const properties = propertySeedOf(process.env, isNightly, randomInt)
  process.stdout.write(properties.text)
  const { report, succeeded } = await runVitest([...excluded, ...filters], properties.seed, isNightly)

  const totals = totalsOf(report, succeeded)
  totals.failed += missing
  process.stdout.write(slowestText(report))
  process.stdout.write(properties.text)
  process.stdout.write(`${totalsLine(totals)}\n`)
  process.exitCode = totals.failed === 0 ? 0 : 1
}

await main()
