import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A page: its path in the repository, and its name in the navigation where that is not its heading. */
export type Entry = string | { readonly page: string; readonly name: string }

/** Pages that are read together. The first section is open, the others open when one of their pages is read. */
export interface Section {
  readonly title: string
  readonly pages: readonly Entry[]
}

/** The first page of the site. */
export const FIRST_PAGE = 'docs/README.md'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The pages of the providers, by the title of their section: `docs/navigation.json` of each provider. */
const navigations = globSync('providers/*/docs/navigation.json', { cwd: repository })
  .toSorted()
  .map((path): Readonly<Record<string, readonly Entry[]>> => JSON.parse(readFileSync(join(repository, path), 'utf8')))

/** Returns the pages that providers add to a section, in the order of the providers' names. */
const ofProviders = (title: string): readonly Entry[] => navigations.flatMap((each) => each[title] ?? [])

/** The navigation of the site. A new page of `docs/` is one line here, one of a provider a line of its `docs/navigation.json`, and `npm run check` says so when it is missing. */
export const readingOrder: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      { page: FIRST_PAGE, name: 'What Kerf is' },
      { page: 'docs/compare.md', name: 'Beside Karpenter and Cluster Autoscaler' },
      { page: 'docs/demands.md', name: 'What users ask for' },
      { page: 'docs/quick-start.md', name: 'Quick start' },
    ],
  },
  {
    title: 'How to',
    pages: [
      { page: 'docs/install.md', name: 'Install' },
      { page: 'docs/from-a-release.md', name: 'From a release' },
      { page: 'docs/sizing.md', name: 'Requests and limits' },
      { page: 'docs/upgrade.md', name: 'Upgrade, and go back' },
      ...ofProviders('How to'),
      { page: 'docs/guides/report.md', name: 'What a cluster costs' },
      { page: 'docs/observe.md', name: 'Observe mode' },
      { page: 'docs/canary.md', name: 'A canary on one NodePool' },
      { page: 'docs/gitops.md', name: 'GitOps' },
      { page: 'docs/guides/from-cluster-autoscaler.md', name: 'From Cluster Autoscaler' },
      { page: 'docs/verify.md', name: 'Try it in your AWS account' },
      { page: 'docs/doctor.md', name: 'Check a cluster: kerf doctor' },
      { page: 'docs/watch.md', name: 'What to watch' },
      { page: 'docs/pause.md', name: 'Pause, cordon, consolidate now' },
      { page: 'docs/migrate.md', name: 'Old objects: v1alpha5, v1beta1' },
      { page: 'docs/what-if.md', name: 'Try a change before you make it' },
      { page: 'docs/simulate.md', name: 'Record and simulate' },
      { page: 'docs/dashboard.md', name: 'The dashboard' },
      { page: 'docs/devices.md', name: 'Devices (DRA)' },
      { page: 'docs/providers.md', name: 'Write a provider' },
    ],
  },
  {
    title: 'Policies',
    pages: [
      { page: 'docs/ceilings.md', name: 'Ceilings for a cluster' },
      { page: 'docs/sleep.md', name: 'NodePools that sleep at night' },
      { page: 'docs/access.md', name: 'Who may use a NodePool' },
      { page: 'docs/commitments.md', name: 'Prepaid instances and discounts' },
      { page: 'docs/price-book.md', name: 'Your own prices' },
    ],
  },
  {
    title: 'Command line and settings',
    pages: [
      'docs/reference/cli.md',
      'docs/reference/kubeconfig.md',
      'docs/reference/settings.md',
      'docs/reference/chart-values.md',
    ],
  },
  {
    title: 'Metrics, events, errors',
    pages: [
      'docs/reference/metrics.md',
      'docs/reference/events.md',
      'docs/reference/conditions.md',
      'docs/reference/errors.md',
      'docs/reference/reasons.md',
      'docs/reference/doctor-checks.md',
    ],
  },
  {
    title: 'Custom resources',
    pages: [
      'docs/reference/nodepool.md',
      'docs/reference/nodeclaim.md',
      'docs/reference/nodeoverlay.md',
      'docs/reference/capacitybuffer.md',
      'docs/reference/clusterpolicy.md',
      'docs/reference/nodepoolpolicy.md',
      ...ofProviders('Custom resources'),
      'docs/reference/provisioner.md',
      'docs/reference/labels.md',
      'docs/reference/providers.md',
      'docs/reference/dashboard-node-classes.md',
    ],
  },
  {
    title: 'Help',
    pages: ['docs/faq.md', 'docs/troubleshooting.md'],
  },
  {
    title: 'Security',
    pages: [
      'docs/security.md',
      { page: 'SECURITY.md', name: 'Report a vulnerability' },
      'docs/reference/permissions.md',
    ],
  },
  {
    title: 'Architecture',
    pages: [
      'ARCHITECTURE.md',
      'docs/engine.md',
      'docs/performance.md',
      'docs/disruption.md',
      ...ofProviders('Architecture'),
      'docs/conformance.md',
      { page: 'docs/conformance/quirks.md', name: 'Where upstream is odd' },
      { page: 'docs/conformance/scheduling.md', name: 'Scheduling, line by line' },
      { page: 'docs/conformance/disruption.md', name: 'Disruption, line by line' },
      { page: 'docs/decisions/README.md', name: 'Decisions' },
      { page: 'docs/spec/README.md', name: 'Specification' },
      'docs/glossary.md',
    ],
  },
  {
    title: 'Contributing',
    pages: [
      { page: 'CONTRIBUTING.md', name: 'Working on Kerf' },
      'docs/structure.md',
      'docs/release.md',
      { page: 'tests/integration/surface/surface.md', name: 'The public surface' },
      { page: 'docs/reference/provider-checks.md', name: 'What every provider must pass' },
      { page: 'CHANGELOG.md', name: 'Changes' },
      { page: 'CODE_OF_CONDUCT.md', name: 'Code of conduct' },
    ],
  },
]

/** Pages that `npm run site` writes before it builds the site. They are not in the repository. */
export const BUILT_PAGES = [
  'docs/conformance/quirks.md',
  'docs/conformance/scheduling.md',
  'docs/conformance/disruption.md',
] as const

/** Folders, below the root or a provider, whose pages are reached from a page of the navigation, and are not in it themselves. */
export const FOLDERS_OF_PAGES: readonly string[] = ['docs/decisions/', 'docs/spec/']

/** The path of an entry. */
export const pagePath = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.page)

/** Reports whether a page of `docs/` is for readers of the repository: the README of a folder. A README is a page of the site only if the navigation names it. */
export const introducesFolder = (path: string): boolean => path.endsWith('/README.md')
