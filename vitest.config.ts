import { globSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { isNightly } from './tests/support/builders/src/sampled.ts'
import { suiteFiles } from './tests/support/selection/choose.ts'
import { chosenTests } from './tests/support/selection/chosen-tests.ts'
import LongestFirst from './tests/support/setup/longest-first.ts'
import { SUITES } from './tests/support/suites.ts'

/**
 * Tests that run whole clusters in their own process and in virtual time. They start no other process, so they can share one: its modules
 * are loaded, its tables read, and its code compiled only once. The names of files that need a tool have two dots. Tests that are too
 * expensive for every change stay alone.
 */
const IN_PROCESS = [
  'providers/*/tests/*.test.ts',
  'providers/*/tests/{doctor,guides,migrate,take-over}/*.test.ts',
  'tests/integration/{editor,install,migrate,monitoring,provider-faults,questions,volumes}/**/*.test.ts',
  'tests/integration/story/{node-life,policy-stories}-sandbox.test.ts',
  'tests/integration/conformance/sandbox.test.ts',
  'tests/integration/hostile/one-object-never-stops-the-cluster.test.ts',
  'tests/simulation/sim.test.ts',
]
const withoutTools = globSync(IN_PROCESS, { cwd: import.meta.dirname }).filter((file) => /^[^.]+\.test\.ts$/.test(file))
const expensive = new Set(suiteFiles(SUITES, withoutTools).map(({ file }) => file))
/** Folders of tests that are as cheap as the unit tests of the packages. */
const CHEAP = [
  'providers/*/tests/{commands,facts,legacy}/**/*.test.ts',
  'providers/*/tests/doctor/checks.test.ts',
  'tests/benchmarks/**/*.test.ts',
  'tests/integration/{facts,scenarios-check}/**/*.test.ts',
  'tests/simulation/{environment,invariants,mutants}/**/*.test.ts',
  'tests/simulation/shorten.test.ts',
  'tests/simulation/exhaustive/{mutants,point}.test.ts',
  'tests/support/{builders,costs,leftovers,selection}/**/*.test.ts',
  ...withoutTools.filter((file) => !expensive.has(file)),
]
/** Tests that need a process of their own, because they start other processes or run a whole cluster. */
const CROSSING = ['tests/**/*.test.ts', 'providers/*/tests/**/*.test.ts']
const UNIT = [
  'packages/{apis,engine,runtime,controllers,sandbox,cli,dashboard/server}/**/*.test.ts',
  'providers/*/{src,bench,testing}/**/*.test.ts',
  'tools/**/*.test.ts',
  ...CHEAP,
]

/** Unit tests that change or measure the process they run in, or load what none of the others should. */
const ALONE = [
  'packages/cli/src/simulate/{flatness,replay-command}.test.ts',
  'providers/*/src/**/*.alone.test.ts',
  'packages/runtime/src/serving/{process-profiler,profiles}.test.ts',
  'tools/{bundle/bundle,image/image,test-totals}.test.ts',
]

/**
 * Milliseconds after which a test of the project `alone` is given up, and each hook. A far bound for what hangs: waits for real
 * processes end sooner, when nothing changes any more (tests/support/control-plane/src/progress.ts). Complete matrices take longer.
 */
const OUTER_BOUND = (isNightly() ? 60 : 15) * 60_000

/** Of each project and not of the root as well: Vitest would run them twice for each file. */
const setupFiles = ['own-run', 'cost', 'leftovers', 'property-seed', 'declared-permissions', 'programming-faults'].map(
  (name) => `tests/support/setup/${name}.ts`,
)

/** What both kinds of files share. */
const common = {
  exclude: [...configDefaults.exclude, 'tests/support/control-plane/.cache/**', ...chosenTests().excluded],
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
    globalSetup: [
      'tests/support/setup/run-folder.ts',
      'tests/support/setup/control-plane.ts',
      'tests/support/setup/lent-programs.ts',
    ],
    sequence: { ...common.sequence, sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          setupFiles,
          name: 'alone',
          testTimeout: OUTER_BOUND,
          hookTimeout: OUTER_BOUND,
          include: [...CROSSING, ...ALONE],
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
          include: ['packages/dashboard/plugin/src/**/*.test.ts'],
          isolate: false,
          experimental: { viteModuleRunner: true },
        },
      },
    ],
  },
})
