import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { callCluster } from './access.ts'
import { ControlPlaneUnavailableError, findComponents } from './components.ts'
import { startControlPlane } from './control-plane.ts'
import { untilTrue } from './progress.ts'
import { resetCluster } from './reset.ts'
import { runProgram } from './run-program.ts'
import { startProgram } from './start-program.ts'
import { describeOnCluster } from './testing.ts'

const here = dirname(fileURLToPath(import.meta.url))
const eventually = (what: string, holds: () => boolean): Promise<void> => untilTrue(holds, { what, everyMs: 20 })

describeOnCluster('the shared control plane', (cluster) => {
  test('runs the pinned versions', async () => {
    const { body } = await callCluster(cluster(), 'GET', '/version')
    expect(body).toMatchObject({ gitVersion: 'v1.36.3' })
    const { stdout } = await cluster().kubectl(['version', '--client', '-o', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ clientVersion: { gitVersion: 'v1.36.3' } })
  })

  test('creates the pods of a Deployment, and refuses requests without credentials', async () => {
    const created = await cluster().kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=2'])
    expect(created).toEqual({ code: 0, stdout: 'deployment.apps/web created\n', stderr: '' })
    const waited = await cluster().kubectl(['wait', '--for=create', 'pod', '-l', 'app=web', '--timeout=10m'])
    expect(waited.code).toBe(0)
    const stranger = await callCluster({ ...cluster(), token: 'nobody' }, 'GET', '/api/v1/pods')
    expect(stranger.status).toBe(401)
  })

  test('is emptied before the next file uses it, including events in all namespaces', async () => {
    const note = async (namespace: string, name: string): Promise<void> => {
      const { status } = await callCluster(cluster(), 'POST', `/api/v1/namespaces/${namespace}/events`, {
        metadata: { name },
        involvedObject: { kind: 'Pod', namespace, name: 'web' },
        reason: 'Told',
        message: 'told by a test',
      })
      expect(status).toBe(201)
    }
    expect((await cluster().kubectl(['create', 'namespace', 'other'])).code).toBe(0)
    for (const namespace of ['default', 'other']) for (const name of ['told-1', 'told-2']) await note(namespace, name)
    await resetCluster(cluster())
    const { stdout } = await cluster().kubectl(['get', 'events,deployments,namespaces', '-A', '-o', 'name'])
    expect(stdout).not.toMatch(/told-|deployment|namespace\/other/)
    expect(stdout).toContain('namespace/default')
  })

  test('resources that a chart left in kube-system are removed', async () => {
    const inKubeSystem = ['-n', 'kube-system'] as const
    for (const args of [
      ['serviceaccount', 'karpenter'],
      ['role', 'karpenter', '--verb=get', '--resource=leases'],
      ['rolebinding', 'karpenter', '--role=karpenter', '--serviceaccount=kube-system:karpenter'],
      ['configmap', 'karpenter'],
      ['service', 'clusterip', 'karpenter', '--tcp=80'],
    ])
      expect(await cluster().kubectl(['create', ...args, ...inKubeSystem])).toMatchObject({ code: 0 })
    const kinds = 'serviceaccounts,roles,rolebindings,configmaps,services'
    await resetCluster(cluster())
    const { stdout } = await cluster().kubectl(['get', kinds, ...inKubeSystem, '-o', 'name'])
    expect(stdout).not.toContain('karpenter')
    expect(stdout).toContain('serviceaccount/default')
    expect(stdout).toContain('configmap/kube-root-ca.crt')
  })
})

describe.skipIf('missing' in findComponents())('a control plane that a test starts itself', () => {
  test('enforces roles if the option is set', async () => {
    const plane = await startControlPlane({ schedulers: false, rbac: true, users: [{ name: 'guest' }] })
    try {
      const guest = { KUBECONFIG: plane.kubeconfigOf('guest'), HOME: dirname(plane.kubeconfig) }
      expect((await runProgram(plane.kubectlPath, ['auth', 'can-i', 'list', 'pods'], guest)).code).toBe(1)
      expect((await plane.kubectl(['auth', 'can-i', 'list', 'pods'])).stdout).toBe('yes\n')
    } finally {
      await plane.stop()
    }
    expect(existsSync(dirname(plane.kubeconfig))).toBe(false)
    await expect(callCluster(plane, 'GET', '/readyz')).rejects.toThrow()
  })

  test('ends when its parent process ends, even by SIGKILL', async () => {
    const script = `
      const { startControlPlane } = await import(${JSON.stringify(`${here}/index.ts`)})
      const plane = await startControlPlane({ schedulers: false })
      process.stdout.write(JSON.stringify({ server: plane.server, ca: plane.ca, token: plane.token, kubeconfig: plane.kubeconfig }) + '\\n')
      setInterval(() => undefined, 1000)`
    const parent = startProgram(process.execPath, ['--input-type=module', '-e', script], { env: process.env })
    const line = await parent.printed(/^\{.*\}$/m)
    const access = JSON.parse(line) as { server: string; ca: string; token: string; kubeconfig: string }
    expect((await callCluster(access, 'GET', '/readyz')).status).toBe(200)
    parent.child.kill('SIGKILL')
    await eventually('the directory to be gone', () => !existsSync(dirname(access.kubeconfig)))
    await expect(callCluster(access, 'GET', '/readyz')).rejects.toThrow()
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  test('reports the output of a program that exits immediately, and leaves no files or processes', async () => {
    await expect(startControlPlane({ flags: { 'kube-apiserver': ['--no-such-flag'] } })).rejects.toThrow(
      /kube-apiserver ended \(exit code 1\)[\s\S]*unknown flag: --no-such-flag/,
    )
  })
})

test('without the programs, the error states how to continue', async () => {
  const before = { ...process.env }
  process.env['KERF_CACHE_DIR'] = '/nonexistent'
  delete process.env['KUBEBUILDER_ASSETS']
  try {
    const failure = startControlPlane()
    await expect(failure).rejects.toThrow(ControlPlaneUnavailableError)
    await expect(failure).rejects.toThrow(
      /no etcd, kube-apiserver.* here: run "node tests\/support\/control-plane\/build\.ts"/,
    )
  } finally {
    process.env = before
  }
})
