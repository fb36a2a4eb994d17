export type { ApiCall, Interceptor } from './api/interceptor.ts'
export { SandboxApi, type SandboxApiOptions } from './api/sandbox-api.ts'
export type { CloudCall, CloudFault, CloudFaultPlan, CloudVerb } from './cloud/cloud-faults.ts'
export {
  CloudError,
  type CloudErrorCode,
  type CloudEvent,
  type CloudInstance,
  type CloudOffering,
  type InstanceState,
  type NodeTemplate,
  type OfferingName,
  type OfferingSelector,
} from './cloud/cloud-instance.ts'
export type { Market } from './cloud/market.ts'
export {
  type InstanceOverrides,
  type LaunchRequest,
  SimulatedCloud,
  type SimulatedCloudOptions,
} from './cloud/simulated-cloud.ts'
export { SandboxCluster, type SandboxClusterOptions } from './cluster/sandbox-cluster.ts'
export { ScaledClock } from './cluster/scaled-clock.ts'
export { ClusterAutoscaler } from './cluster-autoscaler/cluster-autoscaler.ts'
export { autoscalerOptions } from './cluster-autoscaler/options.ts'
export { CloudGroup } from './cluster-autoscaler/scaled-group.ts'
export { SandboxServer, type SandboxServerOptions } from './http/sandbox-server.ts'
export {
  ANNOTATION as KUBELET_ANNOTATION,
  type CsiDriver,
  DEFAULT_KUBELET_OPTIONS,
  type KubeletOptions,
} from './kubelet/kubelet-options.ts'
export type { NodeHealth, NodeKubelet } from './kubelet/node-kubelet.ts'
export type { ClusterContext } from './objects/cluster-context.ts'
export { administrator, type Identity } from './resources/request.ts'
export { Scheduler } from './scheduler/scheduler.ts'
