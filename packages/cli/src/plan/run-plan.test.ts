import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type PlanOptions, runPlan } from './run-plan.ts'

const scenario = (name: string) => {
  const folder = fileURLToPath(new URL(`../../../../tests/scenarios/${name}/`, import.meta.url))
  return { filename: [`${folder}cluster.yaml`], instanceTypes: `${folder}instance-types.json` }
}
const defaults = { diff: false, explainCost: false, preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const

const plan = (name: string, options: Partial<PlanOptions> = {}) => planWith({ ...scenario(name), ...options })

const planWith = async (
  options: Partial<PlanOptions> & Pick<PlanOptions, 'filename'>,
): Promise<{ readonly code: number; readonly text: string; readonly err: string }> => {
  let text = ''
  let err = ''
  const stdout = {
    write: (part: string) => {
      text += part
    },
  }
  const code = await runPlan(
    { ...defaults, output: 'table', ...options },
    { stdout, stderr: { write: (part: string) => (err += part) }, env: {} },
  )
  return { code, text, err }
}

test('prints a table with the new nodes, the total, and the cost before and after', async () => {
  const { code, text } = await plan('026-existing-room', { diff: true })
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "NEW  NODEPOOL  TYPE              ZONE      CAPACITY      PRICE   CPU  MEMORY  TYPES  PODS
      1  default   c-8x-amd64-linux  any of 3  spot      $0.1520/h  7.50   9.3Gi      6     5  default/big-4l8chbcbr-fsp5d, default/new-s86pw6cf9-b92zv, d…
      2  default   c-4x-amd64-linux  any of 3  spot      $0.0760/h  3.10   4.0Gi      9     5  default/new-s86pw6cf9-gshx8, default/new-s86pw6cf9-lxph6, d…

    On existing nodes
      default-2phfk: 3 pods (default/new-s86pw6cf9-2nhzp, default/new-s86pw6cf9-6xmxw, d…)
      default-fxnd4: 2 pods (default/big-4l8chbcbr-2d998, default/new-s86pw6cf9-ttlnd)
      static-r8p6w: 1 pod (default/new-s86pw6cf9-ch2jq)

    $0.2280/h more ($166.47/month) for 2 new nodes with 10 pods; 6 pods fit on existing nodes.

    Today and after the plan
    NODEPOOL  NODES                   COST
    (none)        1              $0.1086/h
    default   2 → 4  $0.3687/h → $0.5968/h
    total     3 → 5  $0.4773/h → $0.7053/h
    "
  `)
})

test('a larger share of the cost leads to fewer nodes, and the explanation shows nodes and cost for several shares', async () => {
  const { text } = await plan('030-weighted-pools', { explainCost: true, fewerNodesCostShare: 0.015 })
  expect(text).toContain('6 new nodes with 30 pods')
  expect(text.slice(text.indexOf('Nodes and cost if'))).toMatchInlineSnapshot(`
    "Nodes and cost if fewer nodes may cost up to this share more
    SHARE  NODES       COST
       0%      8  $2.1094/h
    0.25%      7  $2.1094/h
     0.5%      7  $2.1094/h
       1%      6  $2.1284/h
     1.5%      6  $2.1284/h  this plan
       2%      6  $2.1284/h
    "
  `)
})

test('all sums include the overhead cost of nodes, which leads to fewer nodes', async () => {
  const { text } = await plan('026-existing-room', { diff: true, nodeOverheadCost: 0.1 })
  // Without an overhead cost, the plan has two new nodes for 0.228. With the overhead cost, these two would cost 0.428, so the plan has
  // one larger node instead, which holds all ten pods for 0.404.
  expect(text).toContain(
    '$0.4041/h more ($294.96/month, $0.1000/h of it in addition to the instances) for 1 new node with 10 pods',
  )
  // The three existing nodes cost 0.4773.
  expect(text).toMatch(/total +3 → 4 +\$0\.7773\/h → \$1\.1814\/h/)
})

test('lists unschedulable pods with the closest instance type, groups replicas, and exits with 3', async () => {
  const { code, text } = await plan('006-taints-tolerations')
  expect(code).toBe(3)
  expect(text).toContain('3 pods cannot be scheduled\n  default/wrongtol-g2dbqz6c2-4rp6n and 2 more\n')
  expect(text).toContain('taint dedicated=infra:NoSchedule is not tolerated')
})

test('prints JSON in the format of the scenarios, and the same plan as Karpenter if the improvement pass is off', async () => {
  const { text } = await plan('001-web-simple', { output: 'json', planBudget: 0 })
  const { nodeClaims, existingNodes, unschedulable, hourlyCost } = JSON.parse(text)
  expect({ existingNodes, unschedulable, hourlyCost }).toEqual({
    existingNodes: [],
    unschedulable: [],
    hourlyCost: 0.0832,
  })
  expect(nodeClaims).toMatchObject([
    {
      nodePool: 'default',
      cheapest: { instanceType: 't3.xlarge', zone: 'us-test-1a', capacityType: 'on-demand', price: 0.0832 },
      requests: { cpu: '2500m', memory: '2560Mi', pods: '10' },
    },
  ])
  expect(nodeClaims[0].pods).toHaveLength(10)
  expect(nodeClaims[0].instanceTypes[0]).toBe('t3.xlarge')
})

test('a type whose offerings have no Price in the file has an unknown cost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { instanceTypes } = scenario('001-web-simple')
  const entries: readonly { readonly offerings: readonly object[] }[] = JSON.parse(
    await readFile(instanceTypes, 'utf8'),
  )
  const unpriced = entries.map((entry) => ({
    ...entry,
    offerings: entry.offerings.map((offering) => ({ ...offering, Price: undefined })),
  }))
  const file = join(folder, 'types.json')
  await writeFile(file, JSON.stringify(unpriced))
  const { text, code } = await plan('001-web-simple', { instanceTypes: file })
  expect(code).toBe(0)
  expect(text).toMatch(/ on-demand +unknown /)
  expect(text).toContain('without a known price')
  const { text: json } = await plan('001-web-simple', { instanceTypes: file, output: 'json' })
  const { nodeClaims, unpricedClaims } = JSON.parse(json)
  expect(nodeClaims.length).toBeGreaterThan(0)
  expect(unpricedClaims).toBe(nodeClaims.length)
  expect(nodeClaims[0].cheapest).not.toHaveProperty('price')
})

test('explains the cost: its lower bound, the saving of the improvement pass, and the price of each constraint', async () => {
  const { text } = await plan('004-arch-mix', { explainCost: true })
  expect(text).toMatch(/lower bound of any plan for these pods on new nodes/)
  expect(text).toMatch(
    /\$0\.\d{4}\/h {2}ReplicaSet default\/x86only-fvqgjj95z +9 {2}required node affinity kubernetes\.io\/arch In amd64/,
  )
})

test('overlays change the price of running and new nodes alike, and a line names the feature gate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const overlay = join(folder, 'overlay.yaml')
  await writeFile(
    overlay,
    'apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {name: flat}\nspec: {requirements: [], price: "0.25"}\n',
  )
  const { filename, instanceTypes } = scenario('026-existing-room')
  const { text, err } = await planWith({ filename: [...filename, overlay], instanceTypes, diff: true, output: 'json' })
  const { diff } = JSON.parse(text)
  const pool = diff.pools.find(({ nodePool }: { readonly nodePool: string }) => nodePool === 'default')
  expect(pool.hourlyCost).toEqual([0.25 * pool.nodes[0], 0.25 * pool.nodes[1]])
  expect(err).toBe('with NodeOverlay flat applied; Kerf uses NodeOverlays only with --feature-gates NodeOverlay=true\n')
})

test('refuses flags for both files and a live cluster', async () => {
  await expect(plan('001-web-simple', { kubeconfig: 'somewhere' })).rejects.toThrow(
    '-f reads files and --kubeconfig a live cluster; use only one of them',
  )
})

test('a Deployment without other objects is planned, and files without anything to plan are an error', async () => {
  const quickstart = (name: string): string =>
    fileURLToPath(new URL(`../../../../examples/quickstart/${name}`, import.meta.url))
  const { code, text } = await planWith({ filename: [quickstart('nginx.yaml'), quickstart('nodepool.yaml')] })
  expect(code).toBe(0)
  expect(text).toContain('with 10 pods')
  const alone = await planWith({ filename: [quickstart('nginx.yaml')] })
  expect(alone.code).toBe(3)
  expect(alone.text).toContain('10 pods cannot be scheduled')
  await expect(planWith({ filename: [quickstart('nodepool.yaml')] })).rejects.toThrow(
    'nothing to plan: the files contain no pods and no workloads that create pods, but 1 KWOKNodeClass, 1 NodePool',
  )
})

test('invalid manifests are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pod.yaml')
  await writeFile(file, '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {container: []}}')
  await expect(planWith({ filename: [file] })).rejects.toThrow(
    'spec.container: unknown field, did you mean containers?',
  )
})
