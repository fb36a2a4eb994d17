import type { MigrationSource, SourceGroup } from '@kerf/provider-contract'
import { groupReader } from './group-reader.ts'
import type { GkeLaunch } from './read-node-pool.ts'

/** Returns the command-line flags that identify the cluster of a node pool. */
const clusterFlags = ({ launch }: SourceGroup<GkeLaunch>, clusterName: string): string => {
  const { name = clusterName, location = 'LOCATION', project } = launch?.cluster ?? {}
  return `--cluster ${name} --location ${location}${project === undefined ? '' : ` --project ${project}`}`
}

/** Returns the flags for size limits of the whole node pool. Most pools have limits per zone. */
const boundFlags = (launch: GkeLaunch | undefined, { min, max }: { readonly min: number; readonly max: number }) => {
  const zones = launch?.zonesOfBounds ?? 1
  const word = zones === 1 && launch?.isScaled === true ? 'total-' : ''
  return `--enable-autoscaling --${word}min-nodes ${Math.ceil(min / zones)} --${word}max-nodes ${Math.ceil(max / zones)}`
}

/** Node pools of GKE. */
export const migrationSource: MigrationSource<GkeLaunch> = {
  cloudProviders: ['gce', 'gke'],
  decidedBy: 'one group',
  capacityLabels: {
    'cloud.google.com/gke-spot': { true: 'spot' },
    'cloud.google.com/gke-preemptible': { true: 'spot' },
    'cloud.google.com/gke-provisioning': { spot: 'spot', preemptible: 'spot', standard: 'on-demand' },
  },
  reader: groupReader,
  whyNoLabel: (key) =>
    key.startsWith('cloud.google.com/gke-') ? 'GKE sets it on nodes of node pools, and Kerf sets its own' : undefined,
  /** For a node group from another source, the draft selects the newest image, and a question asks the user for the export. */
  draftNodeClass: ({ name, launch }) => ({
    spec: launch?.spec ?? { imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: 'latest' }] },
    conversions: [],
    questions:
      launch === undefined
        ? [{ object: `node group ${name}`, message: 'give its export: gcloud container node-pools list --format json' }]
        : [],
  }),
  resize: (group, sizes, clusterName) => {
    const { name, launch } = group
    const update = `gcloud container node-pools update ${name} ${clusterFlags(group, clusterName)}`
    const wanted = { max: group.max, ...sizes }
    return {
      commands: [`${update} ${boundFlags(launch, wanted)}`],
      back: [
        launch?.isScaled === false ? `${update} --no-enable-autoscaling` : `${update} ${boundFlags(launch, group)}`,
      ],
    }
  },
  readResize: (command) => {
    const [, group, min] =
      /^gcloud container node-pools update (\S+) .*--(?:total-)?min-nodes (\d+)/.exec(command) ?? []
    return group === undefined || min === undefined ? undefined : { group, min: Number(min) }
  },
  deletion: (group, clusterName) =>
    `gcloud container node-pools delete ${group.name} ${clusterFlags(group, clusterName)} --quiet`,
}
