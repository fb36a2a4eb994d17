// The tools that tests need in addition to Node.js: how to find or build each, and which test files need it.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInstalled, pinnedNode, root } from './pinned-node.mjs'

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const haveChromium = () => {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') return existsSync(given)
  return chromiumNames.some((name) => runs(name, ['--version']))
}

/**
 * Reports whether Chromium is installed, and whether the dashboard is built or can be built with the plugin's toolchain. `npm ci` in the
 * root installs none of these.
 */
const haveBrowser = (isRequired) =>
  haveChromium() &&
  (isRequired ||
    ['node_modules', '.kerf/built'].some((made) => existsSync(join(root, 'packages', 'dashboard', 'plugin', made))))

/** Reports whether Chromium is installed. The site's toolchain is installed on demand, because it is small. */
const haveSite = () => haveChromium()

/** Returns a function that builds a pinned program if it is missing, and reports whether it exists. */
const haveBuilt = (script) => () => spawnSync(pinnedNode, [script], { cwd: root, stdio: 'inherit' }).status === 0

const haveCluster = () => {
  if (runs('go', ['version'])) return haveBuilt('tests/support/control-plane/build.ts')()
  return (
    spawnSync(pinnedNode, ['tests/support/control-plane/build.ts', '--look'], { cwd: root, stdio: 'ignore' }).status ===
    0
  )
}

const haveKubectl = () => runs('kubectl', ['version', '--client']) || haveCluster()

/**
 * @typedef {object} TestTool
 * @property {string} name as in KERF_TEST_REQUIRE
 * @property {string} is what the tool is, for a message
 * @property {string} remedy how to get it
 * @property {(isRequired: boolean) => boolean} have whether the tool exists; builds it if possible
 * @property {string | undefined} ending the word in the names of test files that need it; a file that needs two tools has both words.
 * tests/support/selection/needed-tools.ts determines which files need the other tools
 * @property {boolean} [isForSomeTests] whether the files that need it skip the affected tests themselves, because their other tests can run
 */

/**
 * Returns the tool that `testTool` in a provider's package.json declares: a program that is started (`runs`), or a script that builds it
 * (`builds`). The list is empty if there is none.
 * @returns {readonly TestTool[]}
 */
const toolOfProvider = (folder) => {
  const { testTool } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  if (testTool === undefined) return []
  const { name, is, remedy, runs: command, builds } = testTool
  const have = builds === undefined ? () => runs(command[0], command.slice(1)) : haveBuilt(`${folder}/${builds}`)
  return [{ name, is, remedy, have, ending: `.${name}.test.ts` }]
}

/** The tools that providers' tests need. */
export const providerTools = globSync('providers/*/package.json', { cwd: root })
  .sort()
  .flatMap((path) => toolOfProvider(dirname(path)))

/** @type {readonly TestTool[]} */
export const testTools = [
  {
    name: 'cluster',
    is: 'real control plane',
    remedy: 'install Go, or set KUBEBUILDER_ASSETS',
    have: haveCluster,
    ending: undefined,
    isForSomeTests: true,
  },
  {
    name: 'kubectl',
    is: 'kubectl',
    remedy: 'install kubectl, or Go, which builds it with the real control plane',
    have: haveKubectl,
    ending: undefined,
    isForSomeTests: true,
  },
  {
    name: 'plugin',
    is: 'toolchain of the dashboard’s plugin',
    remedy: 'npm run check, which installs it in two minutes',
    have: () => existsSync(join(root, 'packages', 'dashboard', 'plugin', 'node_modules')),
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
    have: (isRequired) => haveSite() && (isRequired || isInstalled(join(root, 'docs', 'site'))),
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
    name: 'helm',
    is: 'Helm 3',
    remedy: 'install Go, or set HELM_PATH to a helm of version 3.14 or newer',
    have: haveBuilt('tests/support/control-plane/build-helm.ts'),
    ending: '.helm.test.ts',
  },
  {
    name: 'registry',
    is: 'registry for container images',
    remedy: 'install Go, or set CRANE_PATH to a crane of version 0.20 or newer',
    have: haveBuilt('tests/support/control-plane/build-registry.ts'),
    ending: '.registry.test.ts',
  },
  {
    name: 'rehearsal',
    is: 'Helm, registry, krew and Verdaccio for the rehearsal of a release',
    remedy: 'install Go, which builds them',
    have: haveBuilt('tests/integration/release/build.ts'),
    ending: '.rehearsal.test.ts',
  },
  ...providerTools,
]
