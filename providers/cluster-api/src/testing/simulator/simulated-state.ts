import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { readCluster } from '../../objects/cluster.ts'
import { hasPausedAnnotation } from '../../objects/common.ts'
import { type Machine, readMachine } from '../../objects/machine.ts'
import { type MachineDeployment, readMachineDeployment } from '../../objects/machine-deployment.ts'
import { type MachineSet, readMachineSet } from '../../objects/machine-set.ts'
import type { MachineDeploymentOnWire, MachineOnWire, MachineSetOnWire, MachineSpecOnWire } from '../../objects/wire.ts'
import type { MachineHealthCheckOnWire, SimulatedKinds } from './definitions.ts'
import type { DeletionOrder } from './deletion-order.ts'

/** The fields of a template that only the simulator reads. */
export interface SimulatedTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: MachineSpecOnWire & { readonly failureDomain?: string }
}

interface SimulatedSpec {
  readonly template?: SimulatedTemplate
  readonly deletion?: { readonly order?: DeletionOrder }
}

export interface SimulatedDeployment {
  readonly deployment: MachineDeployment
  readonly object: MachineDeploymentOnWire & {
    readonly spec?: SimulatedSpec
    readonly status?: { readonly replicas?: number; readonly availableReplicas?: number }
  }
}

export interface SimulatedSet {
  readonly set: MachineSet
  readonly object: MachineSetOnWire & {
    readonly spec?: SimulatedSpec
    readonly status?: { readonly replicas?: number; readonly availableReplicas?: number }
  }
}

export interface SimulatedMachine {
  readonly machine: Machine
  readonly object: MachineOnWire
}

/** The state of the cluster at the beginning of one round of the controllers. */
export interface SimulatedState {
  readonly deployments: readonly SimulatedDeployment[]
  readonly sets: readonly SimulatedSet[]
  readonly machines: readonly SimulatedMachine[]
  readonly healthChecks: readonly MachineHealthCheckOnWire[]
  /** Returns true if the object is paused by its own annotation, or because its Cluster is paused. */
  isPaused(object: KubeObject, clusterName: string): boolean
  setsOf(deployment: MachineDeployment): readonly SimulatedSet[]
  machinesOf(set: MachineSet): readonly SimulatedMachine[]
}

export const readPlayedState = async (client: KubeClient, kinds: SimulatedKinds): Promise<SimulatedState> => {
  const all = async <T extends KubeObject>(kind: ResourceKind<T>): Promise<readonly T[]> =>
    (await client.list(kind)).items
  const paused = new Set(
    (await all(kinds.Cluster))
      .map((object) => readCluster(object))
      .filter(({ isPaused }) => isPaused)
      .map(({ namespace, name }) => `${namespace}/${name}`),
  )
  const deployments = (await all(kinds.MachineDeployment)).map((object) => ({
    object,
    deployment: readMachineDeployment(object),
  }))
  const sets = (await all(kinds.MachineSet)).map((object) => ({ object, set: readMachineSet(object) }))
  const machines = (await all(kinds.Machine)).map((object) => ({ object, machine: readMachine(object) }))
  return {
    deployments,
    sets,
    machines,
    healthChecks: await all(kinds.MachineHealthCheck),
    isPaused: (object, clusterName) =>
      hasPausedAnnotation(object) || paused.has(`${object.metadata.namespace ?? ''}/${clusterName}`),
    setsOf: ({ namespace, name }) =>
      sets.filter(({ set }) => set.namespace === namespace && set.deploymentName === name),
    machinesOf: ({ namespace, uid }) =>
      machines.filter(
        ({ machine, object }) =>
          machine.namespace === namespace &&
          object.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true,
      ),
  }
}

/**
 * Returns the fields that define a revision. Two templates with equal fields have the same revision. Labels and similar fields are changed
 * in place.
 */
export const revisionFields = (template: SimulatedTemplate | undefined): string => {
  const { version, failureDomain, bootstrap, infrastructureRef } = template?.spec ?? {}
  return JSON.stringify([version, failureDomain, bootstrap?.configRef, infrastructureRef])
}
