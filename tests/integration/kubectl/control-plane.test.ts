import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { afterAll } from 'vitest'
import { runKubectl } from './run-kubectl.ts'
import { defineKubectlSession } from './session.ts'

describeOnCluster('kubectl against the real control plane', (cluster) => {
  const cache = mkdtempSync(join(tmpdir(), 'kerf-kubectl-'))
  afterAll(() => rmSync(cache, { recursive: true, force: true }))
  defineKubectlSession('the same session', {
    kubectl: (args, input) => {
      const { kubectlPath, kubeconfig } = cluster()
      return runKubectl(kubectlPath, kubeconfig, cache, args, input)
    },
    runsPods: false,
  })
})
