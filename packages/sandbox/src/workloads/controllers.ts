import type { Milliseconds, ResourceKind } from '@kerf/apis'
import type { Controller } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { CronJobController } from './cron-job/cron-job-controller.ts'
import { DaemonSetController } from './daemon-set/daemon-set-controller.ts'
import { DeploymentController } from './deployment/deployment-controller.ts'
import { ResourceClaims } from './device/resource-claims.ts'
import { DisruptionBudgetController } from './disruption-budget/disruption-budget-controller.ts'
import { JobController } from './job/job-controller.ts'
import { NamespaceController } from './namespace/namespace-controller.ts'
import { NodeLifecycle } from './node-lifecycle/node-lifecycle.ts'
import { PodGarbage } from './node-lifecycle/pod-garbage.ts'
import { TaintEviction } from './node-lifecycle/taint-eviction.ts'
import { replicaSetController, replicationController } from './replica-set/replica-set-controller.ts'
import { ServiceAccountController } from './service-account/service-account-controller.ts'
import { StatefulSetController } from './stateful-set/stateful-set-controller.ts'
import { AttachDetach } from './volume/attach-detach.ts'
import { EphemeralVolumes } from './volume/ephemeral-volumes.ts'
import { VolumeBinder } from './volume/volume-binder.ts'
import { ClaimProtection, VolumeProtection } from './volume/volume-protection.ts'
import { VolumeReclaimer } from './volume/volume-reclaimer.ts'

export interface BuiltInOptions {
  /** Time from the choice of a node until the volume is provisioned. */
  readonly volumeProvisionDelay: Milliseconds
  readonly volumeAttachDelay: Milliseconds
  /** Returns the namespaced resource kinds that currently exist. */
  readonly namespacedKinds: () => readonly ResourceKind[]
}

/** Returns the controllers of kube-controller-manager, except garbage collection. */
export const builtInControllers = (context: ClusterContext, options: BuiltInOptions): Controller[] => [
  new DeploymentController(context),
  replicaSetController(context),
  replicationController(context),
  new StatefulSetController(context),
  new DaemonSetController(context),
  new JobController(context),
  new CronJobController(context),
  new DisruptionBudgetController(context),
  new NamespaceController(context, options.namespacedKinds),
  new NodeLifecycle(context),
  new TaintEviction(context),
  new PodGarbage(context),
  new ServiceAccountController(context),
  new EphemeralVolumes(context),
  new ResourceClaims(context),
  new VolumeBinder(context, options.volumeProvisionDelay),
  new VolumeReclaimer(context),
  new ClaimProtection(context),
  new VolumeProtection(context),
  new AttachDetach(context, options.volumeAttachDelay),
]
