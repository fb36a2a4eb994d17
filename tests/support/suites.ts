/** Clouds whose code a suite runs. A change below the folder of another provider does not affect it. */
export type SuiteProvider = 'aws' | 'azure' | 'cluster-api' | 'kwok'

/**
 * Test files that are too expensive for `npm test`. `.ci/run` runs them when a change can affect them, `npm run nightly` always.
 * Every test file that is in no suite belongs to `npm test`.
 */
export interface Suite {
  readonly name: string
  /** What these files prove that no cheaper test does. */
  readonly proves: string
  /** Test files, or folders that end with a slash. */
  readonly files: readonly string[]
  /** Files of `files` that are cheap enough for `npm test`. */
  readonly except?: readonly string[]
  /** Files and folders (with a slash) that are read, built or started without an import. */
  readonly inputs: readonly string[]
  /** The files that a started program begins with: what they import counts like an import of the test. */
  readonly runs: readonly string[]
  /** Without it: every provider. */
  readonly providers?: readonly SuiteProvider[]
}

/** What the program `kerf` begins with. */
const KERF = ['cli/src/main.ts']
/** Suites of the cloud that exists in the cluster alone. */
const KWOK_ONLY: readonly SuiteProvider[] = ['kwok']

export const SUITES: readonly Suite[] = [
  {
    name: 'stories',
    proves:
      'that Kerf as a process works with the API server, kube-scheduler and kube-controller-manager, also when it is killed',
    files: ['test/story/'],
    except: [
      'test/story/charts.promtool.test.ts',
      'test/story/cluster-access.test.ts',
      'test/story/node-life-sandbox.test.ts',
      'test/story/scrape.test.ts',
      'test/story/scrape.promtool.test.ts',
    ],
    inputs: ['manifests/kwok/', 'examples/', 'docs/simulate.md', 'docs/quick-start.md', 'test/cluster/'],
    runs: KERF,
    providers: KWOK_ONLY,
  },
  {
    name: 'command-line tools on the real control plane',
    proves: 'that verbs which read or write a cluster agree with a real API server and kubectl',
    files: [
      'test/kubectl/',
      'test/doctor/on-cluster.test.ts',
      'test/editor/dry-run.test.ts',
      'test/editor/pool-drift-cluster.test.ts',
      'test/questions/on-cluster.test.ts',
      'test/report/report-on-cluster.test.ts',
      'test/runtime/control-plane.test.ts',
      'test/management-cluster/management-cluster.test.ts',
    ],
    inputs: ['manifests/kwok/', 'test/cluster/'],
    runs: KERF,
  },
  {
    name: 'plans against kube-scheduler',
    proves:
      'that the real scheduler binds every pod where the plan says, also for pods that depend on each other and for devices',
    files: ['test/plans/'],
    inputs: ['test/cluster/', 'test/scenarios/'],
    runs: [],
    providers: KWOK_ONLY,
  },
  {
    name: 'migration',
    proves: 'that a migration that is killed, undone, rehearsed or run on a real API server ends as the plan says',
    files: [
      'test/migrate/end-to-end.test.ts',
      'test/migrate/guide.test.ts',
      'test/migrate/matrix.test.ts',
      'test/migrate/rehearse-command.test.ts',
      'test/migrate/rehearse-recording.test.ts',
      'test/migrate/rehearse.test.ts',
      'test/migrate/set-ups/written-objects-cluster.test.ts',
      'test/migrate/whole-matrix.test.ts',
      'test/migrate/situations/real.test.ts',
    ],
    inputs: ['docs/guides/from-cluster-autoscaler.md', 'docs/migrate.md', 'test/cluster/'],
    runs: KERF,
  },
  {
    name: 'AWS',
    proves:
      'that the AWS SDK, the emulator and a real control plane agree with what the fakes answer, and that large and slow clusters settle',
    files: ['test/aws/'],
    except: [
      'test/aws/bad-account.test.ts',
      'test/aws/bad-input.test.ts',
      'test/aws/held-status.test.ts',
      'test/aws/interruption.test.ts',
      'test/aws/nginx.aws.test.ts',
      'test/aws/older-guides.test.ts',
      'test/aws/refused-termination.test.ts',
      'test/aws/request-limits.test.ts',
      'test/aws/take-over/upstream-hash.test.ts',
    ],
    inputs: ['manifests/aws/', 'docs/guides/', 'docs/aws.md', 'docs/verify.md', 'test/cluster/'],
    runs: KERF,
    providers: ['aws'],
  },
  {
    name: 'Azure on the real control plane',
    proves: 'that the upstream definition and the whole process work with a real API server',
    files: [
      'test/azure/upgrades.azure.test.ts',
      'test/azure/upstream-definition.test.ts',
      'test/azure/verify.azure.test.ts',
      'test/guides/azure.azure.test.ts',
    ],
    inputs: ['charts/', 'docs/guides/azure.md', 'docs/verify.md', 'test/cluster/'],
    runs: KERF,
    providers: ['azure'],
  },
  {
    name: 'Cluster API',
    proves: 'that Kerf works with the real controllers of Cluster API',
    files: ['test/cluster-api/cluster-api.cluster-api.test.ts'],
    inputs: ['charts/', 'docs/guides/cluster-api.md', 'test/cluster/'],
    runs: KERF,
    providers: ['cluster-api'],
  },
  {
    name: 'guides',
    proves: 'that every command of the guides does what the guide says',
    files: [
      'test/guides/fargate.aws.test.ts',
      'test/guides/first-pod.aws.test.ts',
      'test/guides/image.aws.test.ts',
      'test/guides/image.registry.aws.test.ts',
      'test/guides/managed-nodes.aws.test.ts',
      'test/guides/take-over.aws.test.ts',
    ],
    inputs: ['docs/', 'charts/', 'examples/', 'Dockerfile', 'test/cluster/'],
    runs: KERF,
    providers: ['aws'],
  },
  {
    name: 'first hours',
    proves:
      'that what a team on Karpenter, a team on Cluster Autoscaler and a contributor type in their first hour works',
    files: ['test/first-hour/hours.test.ts'],
    inputs: ['CONTRIBUTING.md', 'docs/', 'examples/', 'test/first-hour/'],
    runs: KERF,
  },
  {
    name: 'charts with Helm',
    proves: 'that the charts install, upgrade and grant exactly what Kerf uses',
    files: [
      'test/install/charts.helm.test.ts',
      'test/install/management.helm.test.ts',
      'test/install/observe.helm.test.ts',
      'test/install/permissions.helm.test.ts',
      'test/install/release.helm.test.ts',
      'test/operations/',
    ],
    inputs: [
      'charts/',
      'manifests/',
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
    files: ['test/browser/'],
    except: ['test/browser/walk/walk.browser.test.ts'],
    inputs: ['headlamp-plugin/', 'scripts/build-dashboard.ts', 'scripts/package-plugin.ts'],
    runs: ['cli/src/main.ts'],
    providers: KWOK_ONLY,
  },
  {
    name: 'site',
    proves:
      'that the site builds, that its pages can be read in a browser, and that the commands of troubleshooting do what they say',
    files: ['test/site/site.site.test.ts', 'test/site/troubleshooting.test.ts'],
    inputs: ['docs/', 'site/', 'README.md', 'CHANGELOG.md'],
    runs: KERF,
    providers: KWOK_ONLY,
  },
  {
    name: 'rehearsal of a release',
    proves: 'that what a release publishes can be installed as the documentation says',
    files: ['test/release/'],
    inputs: [
      '.github/workflows/release.yml',
      'charts/',
      'docs/from-a-release.md',
      'docs/release.md',
      'Dockerfile',
      'headlamp-plugin/',
      'scripts/',
    ],
    runs: KERF,
  },
  {
    name: 'program and image',
    proves:
      'that the bundled program runs on each supported Node, and that the image holds what it needs and nothing else',
    files: ['scripts/bundle/bundle.test.ts', 'scripts/image/image.test.ts'],
    inputs: ['package-lock.json', 'Dockerfile', 'scripts/bundle/', 'scripts/image/'],
    runs: KERF,
  },
  {
    name: 'profiles',
    proves: 'that the profiles which the process serves are read by the tool of Go',
    files: ['runtime/src/serving/profiles.test.ts'],
    inputs: [],
    runs: [],
    providers: [],
  },
  {
    name: 'rules for Prometheus',
    proves: 'that the tool of Prometheus reads the rules, and that they fire when they should',
    files: ['test/monitoring/monitoring.promtool.test.ts'],
    inputs: ['charts/'],
    runs: [],
    providers: [],
  },
  {
    name: 'a new provider',
    proves: 'that what the command for a new provider writes compiles, conforms and passes the rules',
    files: ['test/new-provider/new-provider.test.ts'],
    inputs: ['cli/src/new-provider/'],
    runs: [],
    providers: [],
  },
  {
    name: 'deaths at every write',
    proves: 'that Kerf ends as it should wherever it is killed, at more points than the crash tests of its controllers',
    files: ['sim/exhaustive/exhaustive.test.ts'],
    inputs: [],
    runs: [],
  },
  {
    name: 'tools of the tests',
    proves:
      'that the command which plants bugs judges them rightly, and that the control plane of tests starts and stops',
    files: ['test/mutation/mutation.test.ts', 'test/cluster/src/control-plane.test.ts'],
    inputs: ['test/cluster/'],
    runs: [],
    providers: [],
  },
  {
    name: 'laboratories',
    proves: 'that the models which Kerf is compared with, and the days that are observed, run to their end',
    files: [
      'bench/beside/sandbox-run.test.ts',
      'bench/cluster-autoscaler/model-lab.test.ts',
      'bench/observe/virtual-day.test.ts',
    ],
    inputs: [],
    runs: [],
  },
  {
    name: 'large inputs',
    proves: 'that the memory of a simulation does not grow with its length',
    files: ['cli/src/simulate/flatness.test.ts'],
    inputs: [],
    runs: [],
  },
]
