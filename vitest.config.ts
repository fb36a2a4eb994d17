import { configDefaults, defineConfig } from 'vitest/config'
import { chosenTests } from './test/selection/chosen-tests.ts'
import LongestFirst from './test/setup/longest-first.ts'
import { isNightly } from './testing/src/sampled.ts'

const PACKAGES = '{apis,engine,runtime,controllers,providers,sandbox,cli,dashboard,testing,scripts,bench}'
/** Below `test/` and `sim/`, but as cheap as the tests of the packages. */
const CHEAP = [
  'test/{costs,facts,leftovers,scenarios-check,selection}/**/*.test.ts',
  'sim/{environment,invariants,mutants}/**/*.test.ts',
  'sim/shorten.test.ts',
  'sim/exhaustive/{mutants,point}.test.ts',
]
const UNIT = [`${PACKAGES}/**/*.test.ts`, ...CHEAP]

/** Unit tests that change or measure the process they run in, or load what none of the others should. */
const ALONE = [
  'cli/src/simulate/{flatness,replay-command}.test.ts',
  'providers/aws/src/api/{network,sdk,sdk-zonal-shift}.test.ts',
  'runtime/src/serving/{process-profiler,profiles}.test.ts',
  'scripts/{bundle/bundle,image/image,test-totals}.test.ts',
]

/**
 * Milliseconds after which a test of the project `alone` is given up, and each hook. A far bound for what hangs: waits for real
 * processes end sooner, when nothing changes any more (test/cluster/src/progress.ts). Complete matrices take longer.
 */
const OUTER_BOUND = (isNightly() ? 60 : 15) * 60_000

/** Of each project and not of the root as well: Vitest would run them twice for each file. */
const setupFiles = ['own-run', 'cost', 'leftovers', 'property-seed', 'declared-permissions', 'programming-faults'].map(
  (name) => `test/setup/${name}.ts`,
)

/** What both kinds of files share. */
const common = {
  exclude: [...configDefaults.exclude, 'test/cluster/.cache/**', ...chosenTests().excluded],
  // A test that passes only sometimes has a fault, or the code has one: a second try would hide it.
  retry: 0,
  // Unit tests wait for nobody, but the machine may be busy.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  pool: 'forks',
  sequence: { setupFiles: 'list' },
  // More than the two cores of the smallest machine that this is meant for: the long files mostly wait for real processes.
  maxWorkers: 3,
  // Node strips the types itself, as it does when it runs Kerf from its sources: a third less processor time than Vite's
  // transform, whose modules reach everything they import through an object. No test mocks a module.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const

export default defineConfig({
  test: {
    ...common,
    globalSetup: ['test/setup/run-folder.ts', 'test/setup/control-plane.ts', 'test/setup/lent-programs.ts'],
    sequence: { ...common.sequence, sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          setupFiles,
          name: 'alone',
          testTimeout: OUTER_BOUND,
          hookTimeout: OUTER_BOUND,
          include: ['{test,sim}/**/*.test.ts', ...ALONE],
          exclude: [...common.exclude, ...CHEAP],
        },
      },
      {
        // A process for each of them would cost more than they do: they share a few, and keep no state outside themselves.
        test: {
          ...common,
          setupFiles,
          name: 'unit',
          include: UNIT,
          exclude: [...common.exclude, ...ALONE],
          isolate: false,
        },
      },
      {
        // The plugin's toolchain brings a Vitest of its own, which Node would find first.
        test: {
          ...common,
          setupFiles,
          name: 'plugin',
          include: ['headlamp-plugin/src/**/*.test.ts'],
          isolate: false,
          experimental: { viteModuleRunner: true },
        },
      },
    ],
  },
})
