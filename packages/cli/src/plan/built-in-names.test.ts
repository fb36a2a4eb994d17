import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPlan } from './run-plan.ts'

/** Valid label keys that are also names of built-in properties of objects and functions. */
const KEYS = [
  ...new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Function.prototype)]),
].filter((name) => /^[A-Za-z]/.test(name))
/** The keys that are also valid names of objects. */
const NAMES = KEYS.filter((name) => /^[a-z]+$/.test(name))

const CLUSTER = `
apiVersion: karpenter.kwok.sh/v1alpha1
kind: KWOKNodeClass
metadata: {name: d}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: d, labels: {WORD: a}, annotations: {WORD: a}}
spec:
  limits: {cpu: "60", example.com/WORD: "4"}
  template:
    metadata: {annotations: {WORD: a}}
    spec:
      requirements:
        - {key: kubernetes.io/os, operator: In, values: [linux]}
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: d}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: labelled}
spec:
  template:
    metadata: {labels: {WORD: a}}
    spec:
      requirements:
        - {key: kubernetes.io/os, operator: In, values: [linux]}
        - {key: example.com/WORD, operator: In, values: [WORD, b]}
      taints: [{key: WORD, value: WORD, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: d}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1, kubernetes.io/os: linux, kubernetes.io/arch: amd64, topology.kubernetes.io/zone: test-zone-a}}
spec: {providerID: "x://n1"}
status: {allocatable: {cpu: "6", memory: 16Gi, pods: "100"}, capacity: {cpu: "6", memory: 16Gi, pods: "100"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {kubernetes.io/hostname: n2, kubernetes.io/os: linux, kubernetes.io/arch: amd64, topology.kubernetes.io/zone: test-zone-b, WORD: a}}
spec: {providerID: "x://n2"}
status: {allocatable: {cpu: "2", memory: 16Gi, pods: "100", example.com/WORD: "1"}, capacity: {cpu: "2", memory: 16Gi, pods: "100", example.com/WORD: "1"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: old, namespace: default, labels: {a: b}}
spec: {nodeName: n1, containers: [{name: c, image: x, resources: {requests: {cpu: "1"}}}]}
status: {phase: Running}
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: default}
spec: {selector: {WORD: a}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ds, namespace: default}
spec:
  selector: {matchLabels: {WORD: a}}
  template:
    metadata: {labels: {WORD: a}}
    spec: {nodeSelector: {WORD: a}, containers: [{name: c, image: x, resources: {requests: {cpu: 100m, example.com/WORD: "1"}}}]}
`

/** Parts of pod specs with the placeholder `WORD`, keyed by the name of the pod. */
const PODS: Readonly<Record<string, string>> = {
  plain: '',
  selector: 'nodeSelector: {WORD: a}',
  'selector-tolerated': 'nodeSelector: {WORD: a}, tolerations: [{key: WORD, operator: Equal, value: WORD}]',
  resource: '',
  'in-requirement': affinity('{key: WORD, operator: In, values: [a]}'),
  'not-in-requirement': affinity('{key: WORD, operator: NotIn, values: [a]}'),
  exists: affinity('{key: WORD, operator: Exists}'),
  'does-not-exist': affinity('{key: WORD, operator: DoesNotExist}'),
  'greater-than': affinity('{key: WORD, operator: Gt, values: ["1"]}'),
  'in-domain': `${affinity('{key: example.com/WORD, operator: In, values: [WORD]}')}, tolerations: [{key: WORD, operator: Exists}]`,
  'value-of-a-known-key': 'nodeSelector: {topology.kubernetes.io/zone: WORD}',
  'anti-does-not-exist': podAffinity(
    'podAntiAffinity',
    '{key: WORD, operator: DoesNotExist}',
    'kubernetes.io/hostname',
  ),
  'anti-exists': podAffinity('podAntiAffinity', '{key: WORD, operator: Exists}', 'kubernetes.io/hostname'),
  'affinity-does-not-exist': podAffinity(
    'podAffinity',
    '{key: WORD, operator: DoesNotExist}',
    'kubernetes.io/hostname',
  ),
  'affinity-over-the-word': podAffinity('podAffinity', '{key: a, operator: In, values: [b]}', 'WORD'),
  'anti-over-the-word': podAffinity('podAntiAffinity', '{key: a, operator: In, values: [b]}', 'WORD'),
  'spread-over-the-word': spread('topologyKey: WORD, labelSelector: {matchLabels: {a: b}}'),
  'spread-by-the-word': spread('topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {WORD: a}}'),
  'spread-with-keys': spread(
    'topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [WORD]',
  ),
}

function affinity(requirement: string): string {
  return `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [${requirement}]}]}}}`
}
function podAffinity(side: string, expression: string, topologyKey: string): string {
  return `affinity: {${side}: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: ${topologyKey}, labelSelector: {matchExpressions: [${expression}]}}]}}`
}
function spread(constraint: string): string {
  return `topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, ${constraint}}]`
}

const pods = Object.entries(PODS).map(
  ([name, spec]) => `---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: default, labels: {WORD: a, a: b}, annotations: {WORD: a}}
spec: {containers: [{name: c, image: x, resources: {requests: {cpu: "1"${name === 'resource' ? ', example.com/WORD: "1"' : ''}}}}]${spec === '' ? '' : `, ${spec}`}}
`,
)

/** Objects whose name is the placeholder `WORD`. */
const NAMED = `
apiVersion: karpenter.kwok.sh/v1alpha1
kind: KWOKNodeClass
metadata: {name: WORD}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: WORD}
spec:
  template:
    spec:
      requirements: [{key: kubernetes.io/os, operator: In, values: [linux]}]
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: WORD}
---
apiVersion: v1
kind: Namespace
metadata: {name: WORD, labels: {a: b}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: WORD}
value: 10
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: WORD}
provisioner: WORD
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [test-zone-b]}]}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: WORD, namespace: WORD}
spec: {storageClassName: WORD, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: lost, namespace: WORD}
spec: {storageClassName: WORDly, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: WORD, namespace: WORD}
spec: {priorityClassName: WORD, volumes: [{name: v, persistentVolumeClaim: {claimName: WORD}}], containers: [{name: WORD, image: x, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: lost, namespace: WORD}
spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: lost}}], containers: [{name: WORD, image: x, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: claims-nothing, namespace: WORD}
spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: WORDly}}], resourceClaims: [{name: WORD, resourceClaimName: WORD}], containers: [{name: WORD, image: x}]}
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kerf-names-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the output of `kerf plan -o json`, or the error message if the manifests are refused. */
const planned = async (manifests: string, word: string): Promise<string> => {
  const file = join(folder, 'cluster.yaml')
  writeFileSync(file, manifests.replaceAll('WORD', word))
  let text = ''
  const streams = { stdout: { write: (part: string) => (text += part) }, stderr: { write: () => true }, env: {} }
  const options = {
    ...({ filename: [file], output: 'json', diff: true, explainCost: false } as const),
    ...({ preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const),
  }
  try {
    const code = await runPlan(options, streams)
    return `${text}exit ${code}`
  } catch (error) {
    return String(error)
  }
}

describe('a word has the same effect if it is also the name of a built-in property', () => {
  // Compares the plan for manifests with the word and the plan for manifests with a longer word in its place. The longer word sorts next to
  // the word, so that the order of names is the same in both plans.
  test.each(KEYS)('%s as a key', async (word) => {
    const manifests = CLUSTER + pods.join('')
    const plan = await planned(manifests, word)
    expect(plan).toBe((await planned(manifests, `${word}x`)).replaceAll(`${word}x`, word))
    expect(plan).toContain('exit 3')
  })

  test.each(NAMES)('%s as a name', async (word) => {
    const plan = await planned(NAMED, word)
    expect(plan).toBe((await planned(NAMED, `${word}x`)).replaceAll(`${word}x`, word))
    expect(plan).toContain('exit 3')
  })
})
