import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { untilPasses } from '@kerf/control-plane/progress'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'

export interface KubectlResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A cluster and the kubectl that uses it. */
export interface KubectlTarget {
  kubectl(args: readonly string[], input?: string): Promise<KubectlResult>
  /** Whether the cluster runs pods. The real control plane in the tests has no kubelets. */
  readonly runsPods: boolean
}

const namespace = 'session'

const web = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: ${namespace}
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: nginx
          image: ${image}
          ports: [{containerPort: 80}]
          resources: {requests: {cpu: 100m, memory: 64Mi}}
`

const machine = `
apiVersion: v1
kind: Node
metadata:
  name: machine
  labels: {kubernetes.io/hostname: machine, node-role.kubernetes.io/worker: ""}
status:
  capacity: {cpu: "8", memory: 16Gi, pods: "110"}
  allocatable: {cpu: "8", memory: 16Gi, pods: "110"}
`

const nodePool = (cpu: string): string => `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: general
spec:
  limits: {cpu: "${cpu}"}
  template:
    spec:
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
`

/** Returns the column headings in the first line of a table. */
const columns = (table: string): readonly string[] => (table.split('\n')[0] ?? '').trim().split(/\s{2,}/)
const rows = (table: string): readonly string[] => table.trim().split('\n').slice(1)

/**
 * Defines tests of common kubectl commands, which run one after the other. Both kinds of cluster must return the same essential output:
 * table columns, messages about changes, and exit codes.
 */
export const defineKubectlSession = (name: string, target: KubectlTarget): void => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await target.kubectl(args)
    expect({ code, stderr: code === 0 ? '' : stderr }, `kubectl ${args.join(' ')}`).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const here = (...args: readonly string[]): Promise<string> => run('-n', namespace, ...args)
  const apply = async (manifest: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await target.kubectl(['apply', '-f', '-', ...args], manifest)
    expect({ code, stderr: code === 0 ? '' : stderr }, 'kubectl apply').toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const eventually = (check: () => Promise<void>): Promise<void> => untilPasses(check, { what: 'what kubectl shows' })

  describe(name, () => {
    beforeAll(async () => {
      await run('create', 'namespace', namespace)
      for (const { yaml } of allCrdFiles()) await apply(yaml, '--server-side')
      await untilCrdsEstablished((args) => run(...args))
    })
    afterAll(async () => {
      await target.kubectl(['delete', 'namespace', namespace, '--wait=false'])
      await target.kubectl(['delete', 'nodepool', '--all'])
      await target.kubectl(['delete', 'node', 'machine'])
    })

    test('version and api-resources', async () => {
      expect(await run('version')).toMatch(/Server Version: v1\.36\./)
      const resources = await run('api-resources')
      expect(columns(resources)).toEqual(['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'])
      expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m)
      expect(resources).toMatch(/^nodepools +karpenter\.sh\/v1 +false +NodePool$/m)
    })

    test('auth can-i and whoami', async () => {
      expect((await run('auth', 'can-i', 'create', 'pods')).trim()).toBe('yes')
      expect(await run('auth', 'whoami')).toContain('system:masters')
    })

    test('explain', async () => {
      // A real API server serves a new kind shortly before it publishes the kind's schema.
      const pools = await untilPasses(() => run('explain', 'nodepools.spec', '--recursive'), {
        what: 'kubectl to explain a new kind',
      })
      for (const field of ['disruption', 'consolidationPolicy', 'limits', 'nodeClassRef'])
        expect(pools).toContain(field)
      expect(pools).toMatch(/requirements\s+<\[\]Object>/)
      expect(await run('explain', 'nodepools.spec.weight')).toMatch(/FIELD: weight <integer>/)
      expect(await run('explain', 'deployments.spec.strategy.rollingUpdate')).toMatch(/maxSurge\s+<IntOrString>/)
    })

    test('apply prints created, unchanged and configured', async () => {
      expect(await apply(web('nginx:1.26'))).toBe('deployment.apps/web created\n')
      expect(await apply(web('nginx:1.26'))).toBe('deployment.apps/web unchanged\n')
      expect(await apply(web('nginx:1.27'))).toBe('deployment.apps/web configured\n')
    })

    test('unknown fields are refused with their path', async () => {
      const { code, stderr } = await target.kubectl(
        ['apply', '-f', '-'],
        web('nginx:1.27').replace('replicas: 2', 'replica: 2'),
      )
      expect(code).toBe(1)
      expect(stderr).toContain('strict decoding error: unknown field "spec.replica"')
    })

    test('get prints tables, narrow and wide', async () => {
      const narrow = await here('get', 'deployments')
      expect(columns(narrow)).toEqual(['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'])
      const wide = await here('get', 'deploy', '-o', 'wide')
      expect(columns(wide)).toEqual([...columns(narrow), 'CONTAINERS', 'IMAGES', 'SELECTOR'])
      expect(rows(wide)[0]).toMatch(/^web +\d\/2 .* nginx +nginx:1\.27 +app=web$/)
      expect(columns(await here('get', 'all'))[0]).toBe('NAME')
      await eventually(async () =>
        expect(columns(await here('get', 'pods', '-o', 'wide'))).toEqual([
          'NAME',
          'READY',
          'STATUS',
          'RESTARTS',
          'AGE',
          'IP',
          'NODE',
          'NOMINATED NODE',
          'READINESS GATES',
        ]),
      )
      expect(await here('get', 'deploy', 'web', '-o', 'name')).toBe('deployment.apps/web\n')
      expect(await here('get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}')).toBe(
        'nginx:1.27',
      )
      const missing = await target.kubectl(['-n', namespace, 'get', 'deploy', 'none'])
      expect(missing.stderr).toBe('Error from server (NotFound): deployments.apps "none" not found\n')
    })

    test('nodes: get, describe, cordon, uncordon, taint', async () => {
      await apply(machine)
      const ready = '{"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}]}}'
      await run('patch', 'node', 'machine', '--subresource=status', '--type=merge', '-p', ready)
      // The node controller removes the taint of a new node only after some time, so remove it here.
      await target.kubectl(['taint', 'node', 'machine', 'node.kubernetes.io/not-ready:NoSchedule-'])
      const table = await run('get', 'node', 'machine')
      expect(columns(table)).toEqual(['NAME', 'STATUS', 'ROLES', 'AGE', 'VERSION'])
      expect(rows(table)[0]).toMatch(/^machine +Ready +worker /)
      expect(await run('cordon', 'machine')).toBe('node/machine cordoned\n')
      expect(await run('get', 'node', 'machine')).toContain('Ready,SchedulingDisabled')
      expect(await run('uncordon', 'machine')).toBe('node/machine uncordoned\n')
      expect(await run('taint', 'node', 'machine', 'a=b:NoSchedule')).toBe('node/machine tainted\n')
      const described = await run('describe', 'node', 'machine')
      for (const part of ['Taints:', 'a=b:NoSchedule', 'Capacity:', 'memory:  16Gi', 'Non-terminated Pods:'])
        expect(described).toContain(part)
      expect(await run('taint', 'node', 'machine', 'a-')).toBe('node/machine untainted\n')
    })

    test('describe', async () => {
      const described = await here('describe', 'deployment', 'web')
      for (const part of ['Selector:', 'app=web', 'StrategyType:', 'RollingUpdate', 'memory:      64Mi'])
        expect(described).toContain(part)
    })

    test.runIf(target.runsPods)('rollout status, wait and logs', async () => {
      expect(await here('rollout', 'status', 'deploy/web', '--timeout=10m')).toContain('successfully rolled out')
      expect(await here('wait', '--for=condition=Available', 'deploy/web', '--timeout=10m')).toContain('condition met')
      expect(await here('get', 'pods')).toMatch(/web-\S+ +1\/1 +Running +0 /)
      expect(await here('logs', 'deploy/web')).toContain('nginx')
    })

    test('scale, label, annotate, patch, set image', async () => {
      expect(await here('scale', 'deploy', 'web', '--replicas=3')).toBe('deployment.apps/web scaled\n')
      expect(await here('get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas}')).toBe('3')
      expect(await here('label', 'deploy', 'web', 'tier=front')).toBe('deployment.apps/web labeled\n')
      expect((await target.kubectl(['-n', namespace, 'label', 'deploy', 'web', 'tier=back'])).stderr).toContain(
        'already has a value (front)',
      )
      expect(await here('get', 'deploy', '-l', 'tier in (front)', '-o', 'name')).toBe('deployment.apps/web\n')
      expect(await here('annotate', 'deploy', 'web', 'note=x')).toBe('deployment.apps/web annotated\n')
      const patch = '{"spec":{"template":{"spec":{"containers":[{"name":"nginx","env":[{"name":"A","value":"b"}]}]}}}}'
      expect(await here('patch', 'deploy', 'web', '-p', patch)).toBe('deployment.apps/web patched\n')
      expect(await here('get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}')).toBe(
        'nginx:1.27',
      )
      expect(
        await here(
          'patch',
          'deploy',
          'web',
          '--type=json',
          '-p',
          '[{"op":"remove","path":"/metadata/annotations/note"}]',
        ),
      ).toContain('patched')
      expect(await here('set', 'image', 'deploy/web', 'nginx=nginx:1.28')).toBe('deployment.apps/web image updated\n')
    })

    test('create, edit and diff', async () => {
      expect(await here('create', 'configmap', 'plain', '--from-literal=a=1')).toBe('configmap/plain created\n')
      const edit = await target.kubectl(['-n', namespace, 'edit', 'configmap', 'plain'])
      expect(edit.stdout + edit.stderr).toMatch(/edited|cancelled, no changes made/)
      const edited = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"plain"},"data":{"a":"2"}}'
      expect((await target.kubectl(['-n', namespace, 'replace', '-f', '-'], edited)).stdout).toBe(
        'configmap/plain replaced\n',
      )
      const diff = await target.kubectl(['-n', namespace, 'diff', '-f', '-'], edited.replace('"2"', '"3"'))
      expect(diff.code).toBe(1)
      expect(diff.stdout).toContain('+  a: "3"')
    })

    test('server-side apply reports conflicts and takes over fields', async () => {
      expect(await apply(web('nginx:1.28'), '--server-side', '--field-manager=team', '--force-conflicts')).toContain(
        'serverside-applied',
      )
      await here('scale', 'deploy', 'web', '--replicas=1')
      const conflict = await target.kubectl(
        ['apply', '--server-side', '--field-manager=team', '-f', '-'],
        web('nginx:1.28'),
      )
      expect(conflict.code).toBe(1)
      expect(conflict.stderr).toMatch(
        /conflict with "kubectl" with subresource "scale" using apps\/v1: \.spec\.replicas/,
      )
    })

    test('get -w follows changes', async () => {
      // kubectl does not show when its watch has started, so the watch may miss a change. In that case, the loop makes another change.
      for (let data = 1; ; data++) {
        const watching = target.kubectl(['-n', namespace, 'get', 'configmap', 'plain', '-w', '--request-timeout=5s'])
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await here('patch', 'configmap', 'plain', '--type=merge', '-p', `{"data":{"more-${data}":"1"}}`)
        const { stdout } = await watching
        const seen = rows(stdout).map((row) => row.split(/\s+/).slice(0, 2).join(' '))
        if (seen.length < 2 && data < 6) continue
        expect(columns(stdout)).toEqual(['NAME', 'DATA', 'AGE'])
        expect(seen).toEqual([`plain ${data}`, `plain ${data + 1}`])
        return
      }
    })

    test('custom resources: printer columns, validation, explain of an invalid field', async () => {
      expect(await apply(nodePool('100'))).toBe('nodepool.karpenter.sh/general created\n')
      expect(await apply(nodePool('100'))).toBe('nodepool.karpenter.sh/general unchanged\n')
      expect(await apply(nodePool('200'))).toBe('nodepool.karpenter.sh/general configured\n')
      expect(columns(await run('get', 'nodepools'))).toEqual(['NAME', 'NODECLASS', 'NODES', 'READY', 'AGE'])
      expect(columns(await run('get', 'nodepools', '-o', 'wide'))).toEqual([
        'NAME',
        'NODECLASS',
        'NODES',
        'READY',
        'AGE',
        'WEIGHT',
        'CPU',
        'MEMORY',
      ])
      expect(await run('describe', 'nodepool', 'general')).toContain('Node Class Ref:')
      const refused = await target.kubectl(
        ['apply', '-f', '-'],
        nodePool('100').replace('operator: In, values: [amd64]', 'operator: Near'),
      )
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('Unsupported value: "Near"')
      expect(await run('delete', 'nodepool', 'general')).toContain('"general" deleted')
    })

    test.runIf(target.runsPods)('drain evicts the pods that a budget permits', async () => {
      await run('cordon', 'machine')
      expect(
        await run('drain', 'machine', '--ignore-daemonsets', '--force', '--delete-emptydir-data', '--timeout=10m'),
      ).toContain('node/machine drained')
    })

    test('delete', async () => {
      expect(await here('delete', 'deployment', 'web')).toContain('deployment.apps "web" deleted')
      const gone = await target.kubectl(['-n', namespace, 'get', 'deploy'])
      expect(gone.stderr).toBe(`No resources found in ${namespace} namespace.\n`)
      expect(await here('delete', 'configmap', 'plain', 'none', '--ignore-not-found')).toContain(
        'configmap "plain" deleted',
      )
    })
  })
}
