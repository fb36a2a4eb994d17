import { ownValue } from '@kerf/apis'

/** The field descriptions that `kubectl explain` prints for built-in kinds. Covers only the fields that matter for sizing nodes. */
const types: Readonly<Record<string, string>> = {
  'io.k8s.api.core.v1.Pod': 'Containers that run together on one node.',
  'io.k8s.api.core.v1.Node': 'A machine that runs pods.',
  'io.k8s.api.core.v1.Namespace': 'A scope for names.',
  'io.k8s.api.core.v1.Service': 'A stable address for a set of pods.',
  'io.k8s.api.core.v1.PodSpec': 'The desired state of a pod.',
  'io.k8s.api.core.v1.Container': 'One container of a pod.',
  'io.k8s.api.apps.v1.Deployment': 'Keeps a number of equal pods running and rolls out changes to them.',
  'io.k8s.api.apps.v1.ReplicaSet': 'Keeps a number of equal pods running.',
  'io.k8s.api.apps.v1.StatefulSet': 'Keeps numbered pods with their own volumes running.',
  'io.k8s.api.apps.v1.DaemonSet': 'Runs one pod on every node it selects.',
  'io.k8s.api.batch.v1.Job': 'Runs pods until enough of them have succeeded.',
  'io.k8s.api.batch.v1.CronJob': 'Makes a Job at the times of a schedule.',
  'io.k8s.api.policy.v1.PodDisruptionBudget': 'How many of a set of pods may be disrupted at a time.',
  'io.k8s.api.scheduling.v1.PriorityClass': 'A name for a pod priority.',
  'io.k8s.api.storage.v1.StorageClass': 'How volumes of one kind are made and bound.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': 'Name, labels and bookkeeping that every object carries.',
}

const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'io.k8s.api.core.v1.PodSpec': {
    affinity: 'Where the pod must or would rather run.',
    containers: 'The containers; at least one.',
    initContainers:
      'Containers that run one after the other before the others; with restartPolicy Always they keep running.',
    nodeName: 'The node the pod is bound to.',
    nodeSelector: 'Labels a node must have.',
    overhead: 'Resources that the runtime needs besides the containers.',
    priorityClassName: 'The class that gives the pod its priority.',
    schedulerName: 'Which scheduler binds the pod.',
    schedulingGates: 'While any is left, the pod is not scheduled.',
    terminationGracePeriodSeconds: 'Seconds between the request to stop and the kill.',
    tolerations: 'Taints that do not keep the pod away.',
    topologySpreadConstraints: 'How evenly pods spread over domains.',
    volumes: 'The volumes that containers may mount.',
  },
  'io.k8s.api.core.v1.NodeSpec': {
    providerID: 'The machine in the words of its cloud.',
    taints: 'What keeps pods away that do not tolerate it.',
    unschedulable: 'Cordoned: no new pods.',
  },
  'io.k8s.api.core.v1.ResourceRequirements': {
    limits: 'The most a container may use.',
    requests: 'What a node must have left for the container.',
  },
}

const common: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of this kind.',
  kind: 'The kind of this object.',
  metadata: 'Name, labels and bookkeeping.',
  spec: 'What is wanted.',
  status: 'What has been observed.',
}

export const describeType = (name: string): string | undefined => ownValue(types, name)
export const describeField = (type: string, field: string): string | undefined =>
  ownValue(ownValue(fields, type), field) ?? ownValue(common, field)
