import { relative } from 'node:path'
import { root } from '../../tools/source-files.ts'
import { importProviderExports } from './provider-exports.ts'
import { providerFiles } from './provider-files.ts'
import { KERF, type Suite } from './suite.ts'

/** The suites that each provider lists in its own folder. */
const ofProviders = await importProviderExports<{ readonly suites: readonly Suite[] }>('./testing/suites')

/** The providers of suites that use only the KWOK provider, whose cloud exists inside the cluster. */
const KWOK_ONLY: readonly string[] = ['kwok']

export const SUITES: readonly Suite[] = [
  ...ofProviders.flatMap(({ suites }) => suites),
  {
    name: 'stories',
    proves:
      'that Kerf as a process works with the API server, kube-scheduler and kube-controller-manager, also when it is killed',
    files: ['tests/integration/story/'],
    except: [
      'tests/integration/story/charts.promtool.test.ts',
      'tests/integration/story/cluster-access.test.ts',
      'tests/integration/story/node-life-sandbox.test.ts',
      'tests/integration/story/policy-stories-sandbox.test.ts',
      'tests/integration/story/scrape.test.ts',
      'tests/integration/story/scrape.promtool.test.ts',
    ],
    inputs: [
      'docs/access.md',
      'docs/ceilings.md',
      'docs/commitments.md',
      'docs/price-book.md',
      'docs/quick-start.md',
      'docs/simulate.md',
      'docs/sleep.md',
      'examples/',
      'tests/support/control-plane/',
    ],
    runs: KERF,
    providers: KWOK_ONLY,
  },
  {
    name: 'command-line tools on the real control plane',
    proves: 'that verbs which read or write a cluster agree with a real API server and kubectl',
    files: [
      'tests/integration/kubectl/',
      'tests/integration/policies/',
      'tests/integration/doctor/on-cluster.test.ts',
      'tests/integration/editor/pool-drift-cluster.test.ts',
      'tests/integration/questions/on-cluster.test.ts',
      'tests/integration/runtime/control-plane.test.ts',
    ],
    inputs: ['tests/support/control-plane/'],
    runs: KERF,
  },
  {
    name: 'plans against kube-scheduler',
    proves:
      'that the real scheduler binds every pod where the plan says, also for pods that depend on each other and for devices',
    files: ['tests/integration/plans/'],
    inputs: ['tests/support/control-plane/', 'tests/scenarios/'],
    runs: [],
    providers: KWOK_ONLY,
  },
  {
    name: 'migration',
    proves: 'that a migration that is killed, undone, rehearsed or run on a real API server ends as the plan says',
    files: [
      'tests/integration/migrate/end-to-end.test.ts',
      'tests/integration/migrate/guide.test.ts',
      'tests/integration/migrate/written-objects-cluster.test.ts',
      'tests/integration/migrate/situations/real.test.ts',
    ],
    inputs: ['docs/guides/from-cluster-autoscaler.md', 'docs/migrate.md', 'tests/support/control-plane/'],
    runs: KERF,
  },
  {
    name: 'first hours',
    proves:
      'that what a team on Karpenter, a team on Cluster Autoscaler and a contributor type in their first hour works',
    files: ['tests/integration/first-hour/hours.test.ts'],
    inputs: ['CONTRIBUTING.md', 'docs/', 'examples/', 'tests/integration/first-hour/'],
    runs: KERF,
  },
  {
    name: 'charts with Helm',
    proves: 'that the charts install, upgrade and grant exactly what Kerf uses',
    files: [
      'tests/integration/install/charts.helm.test.ts',
      'tests/integration/install/management.helm.test.ts',
      'tests/integration/install/observe.helm.test.ts',
      'tests/integration/install/permissions.helm.test.ts',
      'tests/integration/install/release.helm.test.ts',
      'tests/integration/operations/',
    ],
    inputs: [
      'deploy/charts/',
      'docs/install.md',
      'docs/upgrade.md',
      'docs/canary.md',
      'docs/gitops.md',
      'docs/observe.md',
      'docs/pause.md',
    ],
    runs: KERF,
  },
  {
    name: 'dashboard in Chromium',
    proves: 'that the pages work in a browser: focus, layout, navigation, and what Headlamp itself draws',
    files: ['tests/integration/browser/'],
    except: ['tests/integration/browser/walk/walk.browser.test.ts'],
    inputs: ['packages/dashboard/plugin/', 'tools/build-dashboard.ts', 'tools/package-plugin.ts'],
    runs: ['packages/cli/src/main.ts'],
    providers: KWOK_ONLY,
  },
  {
    name: 'site',
    proves:
      'that the site builds, that its pages can be read in a browser, and that the commands of troubleshooting do what they say',
    files: ['tests/integration/site/site.site.test.ts', 'tests/integration/site/troubleshooting.test.ts'],
    inputs: [
      'docs/',
      ...providerFiles('docs').map((folder) => `${relative(root, folder)}/`),
      'README.md',
      'CHANGELOG.md',
    ],
    runs: KERF,
    providers: KWOK_ONLY,
  },
  {
    name: 'rehearsal of a release',
    proves: 'that what a release publishes can be installed as the documentation says',
    files: ['tests/integration/release/'],
    inputs: [
      '.github/workflows/release.yml',
      'deploy/charts/',
      'docs/from-a-release.md',
      'docs/release.md',
      'deploy/image/Dockerfile',
      'packages/dashboard/plugin/',
      'tools/',
    ],
    runs: KERF,
  },
  {
    name: 'program and image',
    proves:
      'that the bundled program runs on each supported Node, and that the image holds what it needs and nothing else',
    files: ['tools/bundle/bundle.test.ts', 'tools/image/image.test.ts'],
    inputs: ['package-lock.json', 'deploy/image/Dockerfile', 'tools/bundle/', 'tools/image/'],
    runs: KERF,
  },
  {
    name: 'profiles',
    proves: 'that the profiles which the process serves are read by the tool of Go',
    files: ['packages/runtime/src/serving/profiles.test.ts'],
    inputs: [],
    runs: [],
    providers: [],
  },
  {
    name: 'rules for Prometheus',
    proves: 'that the tool of Prometheus reads the rules, and that they fire when they should',
    files: ['tests/integration/monitoring/monitoring.promtool.test.ts'],
    inputs: ['deploy/charts/'],
    runs: [],
    providers: [],
  },
  {
    name: 'a new provider',
    proves: 'that what the command for a new provider writes compiles, conforms and passes the rules',
    files: ['tests/integration/new-provider/new-provider.test.ts'],
    inputs: ['packages/cli/src/new-provider/'],
    runs: [],
    providers: [],
  },
  {
    name: 'deaths at every write',
    proves: 'that Kerf ends as it should wherever it is killed, at more points than the crash tests of its controllers',
    files: ['tests/simulation/exhaustive/exhaustive.test.ts'],
    // The suite reaches its clouds through the exports of the providers.
    inputs: providerFiles('testing/simulation').map((folder) => `${relative(root, folder)}/`),
    runs: [],
  },
  {
    name: 'tools of the tests',
    proves:
      'that the command which plants bugs judges them rightly, and that the control plane of tests starts and stops',
    files: ['tests/support/mutation/mutation.test.ts', 'tests/support/control-plane/src/control-plane.test.ts'],
    inputs: ['tests/support/control-plane/'],
    runs: [],
    providers: [],
  },
  {
    name: 'laboratories',
    proves: 'that the models which Kerf is compared with, and the days that are observed, run to their end',
    files: [
      'tests/benchmarks/beside/sandbox-run.test.ts',
      'tests/benchmarks/cluster-autoscaler/model-lab.test.ts',
      'tests/benchmarks/observe/virtual-day.test.ts',
    ],
    inputs: [],
    runs: [],
  },
  {
    name: 'large inputs',
    proves: 'that the memory of a simulation does not grow with its length',
    files: ['packages/cli/src/simulate/flatness.test.ts'],
    inputs: [],
    runs: [],
  },
]
