import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { looseAt } from '@kerf/provider-kit/documents'
import { providerChecks } from './provider-checks.ts'

const template = 'spec.template.spec.containers'

/** For each resource kind, the required field that the checks need. */
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
  FlowSchema: 'spec',
  ClusterRoleBinding: 'roleRef',
  RoleBinding: 'roleRef',
}

/** For each node class kind that providers' checks use, the required field. */
const requiredByProviders = providerChecks.map(({ requiredFields = {} }) => requiredFields)

/**
 * Returns a required field that is missing from an object in a file, or undefined if no field is missing. In a real cluster, every object
 * of the kind has this field.
 */
export const missingField = (object: KubeObject): string | undefined => {
  const path = [required, ...requiredByProviders]
    .map((fields) => ownValue(fields, object.kind))
    .find((field) => field !== undefined)
  return path === undefined || looseAt(object, ...path.split('.')) !== undefined ? undefined : path
}
