import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findComponents } from '@kerf/control-plane'
import { SeededRandom, SystemClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runKubectl } from './run-kubectl.ts'
import { defineKubectlSession } from './session.ts'

const components = findComponents()
const kubectlPath = 'missing' in components ? undefined : components.kubectl
const isRequired = (process.env['KERF_TEST_REQUIRE'] ?? '').split(',').includes('cluster')

if (kubectlPath === undefined) {
  describe('kubectl against the sandbox', () => {
    test.skipIf(!isRequired)('skipped: no kubectl of the control-plane build', () => expect.fail('kubectl is missing'))
  })
} else {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-kubectl-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const cluster = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(3) })
  let server: SandboxServer | undefined
  beforeAll(async () => {
    await cluster.start()
    server = await SandboxServer.start(cluster.api)
    writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  })
  afterAll(async () => {
    await server?.close()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  defineKubectlSession('kubectl against the sandbox', {
    kubectl: (args, input) => runKubectl(kubectlPath, kubeconfig, join(folder, 'cache'), args, input),
    runsPods: true,
  })
}
