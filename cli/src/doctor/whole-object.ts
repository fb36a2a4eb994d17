import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field at the end of a path, as far as there are objects on it. */
const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce((value: unknown, key) => (isRecord(value) ? ownValue(value, key) : undefined), object)

const template = 'spec.template.spec.containers'

/** Fields without which nothing can be said of an object; its API requires them. */
const required: Readonly<Record<string, string>> = {
  Pod: 'spec.containers',
  Deployment: template,
  ReplicaSet: template,
  StatefulSet: template,
  DaemonSet: template,
  ReplicationController: template,
  Job: template,
  CronJob: 'spec.jobTemplate.spec.template.spec.containers',
  NodePool: 'spec.template.spec.nodeClassRef',
  NodeClaim: 'spec.nodeClassRef',
  PodDisruptionBudget: 'spec',
  Service: 'spec',
  CustomResourceDefinition: 'spec',
  Event: 'involvedObject',
  Node: 'spec',
  PersistentVolume: 'spec',
  PersistentVolumeClaim: 'spec',
  Lease: 'spec',
  EC2NodeClass: 'spec',
  FlowSchema: 'spec',
  ClusterRoleBinding: 'roleRef',
  RoleBinding: 'roleRef',
}

/** What an object of a file lacks that every object of its kind has in a cluster. Undefined when it lacks nothing. */
export const missingField = (object: KubeObject): string | undefined => {
  const path = ownValue(required, object.kind)
  return path === undefined || at(object, path) !== undefined ? undefined : path
}
