import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import { gceNodeClassResource } from '@kerf/provider-gcp/node-class'
import { FakeGcp, serveGcp } from '@kerf/provider-gcp/testing'
import { parseSettings, SeededRandom, SystemClock, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment, deploymentSpec } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { controllerRole } from '../../src/roles/controller-role.ts'
import { gcpSettings, settingProblems } from '../../src/settings/gcp-settings.ts'
import { CLUSTER, PROJECT, REGION } from '../../src/testing/fake-gcp/names.ts'
import { sourceTemplate } from '../../src/testing/source-template.ts'
import { serveMetadata } from './metadata-server.ts'

const CONTROLLER = `karpenter-${CLUSTER}@${PROJECT}.iam.gserviceaccount.com`
const NODES = `kerf-nodes@${PROJECT}.iam.gserviceaccount.com`

/** Shell code that fakes gcloud. Roles and service accounts do not exist until the guide creates them. */
const GCLOUD = `case "$*" in
  'iam roles describe '* | 'iam service-accounts describe '*) exit 1 ;;
  'services enable '* | 'artifacts repositories create '* | 'artifacts repositories delete '*) ;;
  'iam service-accounts create '* | 'iam service-accounts delete '* | 'iam service-accounts add-iam-policy-binding '*) ;;
  'iam roles create '* | 'iam roles delete '* | 'projects add-iam-policy-binding '*) ;;
  'container clusters create '* | 'container clusters get-credentials '* | 'container clusters delete '*) ;;
  *) echo "gcloud $*: not in the guide" >&2; exit 2 ;;
esac`

const KUBECTL = `case "$*" in
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

/** Replaces the reader's project and cluster with the fake's. */
const ownNames = (commands: string): string =>
  commands.replace('PROJECT_ID=your-project CLUSTER_NAME=kerf-demo', `PROJECT_ID=${PROJECT} CLUSTER_NAME=${CLUSTER}`)

const helm = findHelm()

describe.skipIf(helm === undefined)('the guide from an empty project', () => {
  test('Kerf’s commands run, the role has what Kerf needs, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-gcp-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const gcp = new FakeGcp(new SystemClock())
    gcp.templates = [sourceTemplate('default-pool')]
    const [served, metadata] = await Promise.all([serveGcp(gcp), serveMetadata('token')])
    // The test sets only the reader's identity and the address of Google Cloud. The guide sets everything else.
    const who = { ...metadata.env, GCP_ENDPOINT_URL: served.endpoint }
    const shell = new GuideShell(
      {
        gcloud: standIn('gcloud', GCLOUD),
        kubectl: standIn('kubectl', KUBECTL),
        helm: standIn('helm', HELM(helm ?? '')),
        kerf: kerfCommand,
      },
      who,
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    try {
      const steps = guideSteps('gcp').map((step) => ({ ...step, commands: ownNames(step.commands) }))
      const outputs = new Map<string, string>()
      for (const step of steps) outputs.set(step.heading, await shell.run(step))
      expect(shell.unrun(steps)).toEqual([])
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')

      const created = calls.find((call) => call.startsWith('gcloud iam roles create ')) ?? ''
      expect(created.split('--permissions ')[1]?.split(',')).toEqual(controllerRole(CLUSTER).includedPermissions)
      // The guide deletes exactly what roles.sh created.
      expect(calls).toContain(`gcloud iam roles delete karpenter_${CLUSTER} --project ${PROJECT}`)
      expect(created).toContain(`gcloud iam roles create karpenter_${CLUSTER} `)
      expect(calls).toContain(
        `gcloud iam service-accounts add-iam-policy-binding ${NODES} --project ${PROJECT} --member serviceAccount:${CONTROLLER} --role roles/iam.serviceAccountUser`,
      )
      expect(outputs.get('4. Look before you install')).toMatch(/0 failed, 1 skipped; nothing was changed\n$/)

      const objects = parseDocuments(written('rendered.yaml'))
      const of = (kind: string) =>
        objects.find((object) => object.kind === kind && object.metadata.name === 'karpenter')
      const [deployment, account] = [of('Deployment'), of('ServiceAccount')]
      if (deployment === undefined || account === undefined) throw new Error('the chart rendered no controller')
      expect(account.metadata.annotations?.['iam.gke.io/gcp-service-account']).toBe(CONTROLLER)
      const { serviceAccountName } = deploymentSpec(deployment).template.spec
      expect(calls.find((call) => call.includes('roles/iam.workloadIdentityUser'))).toContain(
        `--member serviceAccount:${PROJECT}.svc.id.goog[kube-system/${String(serviceAccountName)}]`,
      )
      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(gcpSettings, env)
      expect(settingProblems(settings)).toEqual([])
      expect(settings).toMatchObject({
        ...{ projectID: PROJECT, clusterName: CLUSTER, clusterLocation: REGION },
        defaultNodepoolServiceAccount: NODES,
      })

      // The guide runs this command in the controller's pod, with the pod's environment.
      expect(calls.find((call) => call.includes(' exec deployment/karpenter -- '))).toMatch(/ gcp verify$/)
      const check = await startKerf(['gcp', 'verify'], {
        env: { ...bareEnvironment(), ...env, ...who, HOME: shell.directory },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toContain(`service account ${NODES}`)

      const cluster = new SandboxCluster({ clock: new VirtualClock(), random: new SeededRandom(1) })
      await installCustomResources(cluster.client, [gceNodeClassResource])
      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        GCENodeClass: gceNodeClassResource.kind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual(['GCENodeClass', 'NodePool', 'Deployment'])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata: own, ...rest } = object
        const namespace = object.kind === 'Deployment' ? { namespace: 'default' } : {}
        await cluster.client.create(kind, { ...rest, metadata: { ...own, ...namespace } })
      }
    } finally {
      shell.close()
      served.close()
      metadata.close()
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
