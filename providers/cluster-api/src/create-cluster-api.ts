import { karpenterKinds, kinds } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { Settings } from '@kerf/runtime'
import { ClusterApiProvider } from './cluster-api-provider.ts'
import { nodeClassStatus } from './controllers/node-class-status.ts'
import { machineDrift } from './drift/machine-drift.ts'
import { type MachineFacts, machineFacts } from './instance-type/machine-facts.ts'
import { MachineTemplates } from './instance-type/machine-templates.ts'
import { ObservedMachines } from './instance-type/observed-machines.ts'
import { machineTypes } from './instance-type/types-of.ts'
import { createManagementCluster } from './management/create-management-cluster.ts'
import type { InformedManagementCluster } from './management/informed-management-cluster.ts'
import { describeManagementProblem } from './management/management-problem.ts'
import { membershipReader } from './members/membership-reader.ts'
import { nodesWithoutMachine } from './members/nodes-without-machine.ts'
import { clusterApiNodeClassKind } from './node-class/cluster-api-node-class.ts'
import type { MachineDeployment } from './objects/machine-deployment.ts'
import type { ClusterApiSettings } from './settings.ts'

/**
 * How long the start waits for the management cluster. If the cluster does not respond, Kerf starts without it, but cannot plan for
 * NodePools of this provider.
 */
const START_WITHIN = 10_000

type ProviderSettings = ClusterApiSettings & Pick<Settings, 'featureGates'>

/**
 * Creates the provider from the settings.
 *
 * @throws KerfError for contradictory settings, and for a kubeconfig that cannot be read.
 */
export const createClusterApi = (
  settings: ProviderSettings,
  context: ProviderContext,
  { metrics, env, gate, aliases }: Pick<ProviderSurroundings, 'metrics' | 'env' | 'gate' | 'aliases'>,
): RunningProvider => {
  const management = createManagementCluster(settings, context, { metrics, env, gate })
  return clusterApiOver(management, settings, context, { metrics, aliases })
}

/** Creates the provider with all its controllers. Its `start` begins to read the management cluster. */
export const clusterApiOver = (
  management: InformedManagementCluster,
  settings: Pick<ProviderSettings, 'clusterApiTemplateDrift' | 'featureGates'>,
  context: ProviderContext,
  { metrics, aliases }: Pick<ProviderSurroundings, 'metrics' | 'aliases'>,
): RunningProvider => {
  const { informers } = context
  const membership = membershipReader(management, informers.of(clusterApiNodeClassKind))
  const nodes = informers.of(kinds.Node)
  const templates = new MachineTemplates(management)
  const observed = new ObservedMachines(context.clock, management, (name) => nodes.get(name))
  const deploymentFacts = (deployment: MachineDeployment): MachineFacts =>
    machineFacts(observed.of(deployment), templates.of(deployment))
  const claims = informers.of(karpenterKinds.NodeClaim)
  const status = nodeClassStatus({
    context,
    management,
    membersOf: (nodeClass) => {
      const { members, problems } = membership(nodeClass)
      const lost = nodesWithoutMachine(nodeClass, claims.values(), (providerId) => management.machinesWith(providerId))
      return { members, problems: [...problems, ...lost] }
    },
    typesOf: (_nodeClass, { members }) => machineTypes(members, deploymentFacts),
    ...(settings.featureGates.NodeOverlay && { overlays: informers.of(karpenterKinds.NodeOverlay) }),
  })
  const provider = new ClusterApiProvider(context, {
    ...{ management, metrics, aliases, membership, factsOf: deploymentFacts },
    driftOf: settings.clusterApiTemplateDrift ? machineDrift(management) : () => undefined,
    controllers: [status, templates.controller()],
  })
  return {
    provider,
    start: async (signal) => {
      void management.run(signal)
      await management.knownWithin(START_WITHIN, signal)
    },
    ready: {
      'management-cluster': () => {
        const [problem] = management.problems()
        if (management.wasKnown) return undefined
        return problem === undefined ? 'the management cluster is not known yet' : describeManagementProblem(problem)
      },
    },
  }
}
