import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import { azureSettings, builtInRoles, roleAssignments, settingProblems } from '@kerf/provider-azure'
import { aksNodeClassResource } from '@kerf/provider-azure/node-class'
import { azureTestEnv, FakeAzure, GROUP, SUBNET, SUBSCRIPTION, serveAzure } from '@kerf/provider-azure/testing'
import { parseSettings, SeededRandom, SystemClock, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment, deploymentSpec } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { root } from '../../../../tools/source-files.ts'

const PRINCIPAL = '00000000-0000-0000-0000-0000000000ee'
const CLIENT = '00000000-0000-0000-0000-0000000000dd'
const ENDPOINT = azureTestEnv['CLUSTER_ENDPOINT'] ?? ''
const IDENTITY = azureTestEnv['NODE_IDENTITIES'] ?? ''
const KUBELET_CLIENT = azureTestEnv['KUBELET_IDENTITY_CLIENT_ID'] ?? ''

/** The answers of the Azure CLI for the cluster of the fake, selected by the end of the command or its query. */
const AZ = `case "$*" in
  'account show --query id --output tsv') echo '${SUBSCRIPTION}' ;;
  'aks show '*'--query nodeResourceGroup '*) echo '${GROUP}' ;;
  'aks show '*'--query identityProfile.kubeletidentity.resourceId '*) echo '${IDENTITY}' ;;
  'aks show '*'--query identityProfile.kubeletidentity.clientId '*) echo '${KUBELET_CLIENT}' ;;
  'aks show '*'--query oidcIssuerProfile.issuerUrl '*) echo 'https://issuer.example/' ;;
  'network vnet list --resource-group ${GROUP} '*) echo '${SUBNET}' ;;
  'identity show '*'--query clientId '*) echo '${CLIENT}' ;;
  'identity show '*'--query principalId '*) echo '${PRINCIPAL}' ;;
  'aks create '*) mkdir -p "$HOME/.ssh" && echo 'ssh-rsa AAAAB3NzaC1yc2E= reader@laptop' > "$HOME/.ssh/id_rsa.pub" ;;
  'group create '* | 'acr create '* | 'aks get-credentials '* | 'identity create '* | 'role assignment create '*) ;;
  'identity federated-credential create '* | 'group delete '*) ;;
  *) echo "az $*: not in the guide" >&2; exit 2 ;;
esac`

const KUBECTL = `case "$*" in
  *'{.items[0].data.token-id}') printf abcdef | base64 ;;
  *'{.items[0].data.token-secret}') printf 0123456789abcdef | base64 ;;
  'config view '*) printf '${ENDPOINT}' ;;
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

const helm = findHelm()

describe.skipIf(helm === undefined)('the guide from an empty subscription', () => {
  test('Kerf’s commands run, the roles grant exactly what Kerf needs, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-azure-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const served = await serveAzure((endpoint) => new FakeAzure(new SystemClock(), { endpoint }))
    // Only the reader's identity and the address of Azure are set here. The guide sets everything else.
    const who = Object.fromEntries(
      [
        'AZURE_ENVIRONMENT_FILEPATH',
        'AZURE_FEDERATED_TOKEN_FILE',
        'AZURE_CLIENT_ID',
        'AZURE_TENANT_ID',
        'NODE_EXTRA_CA_CERTS',
      ].map((name) => [name, served.env[name] ?? '']),
    )
    const shell = new GuideShell(
      {
        az: standIn('az', AZ),
        kubectl: standIn('kubectl', KUBECTL),
        helm: standIn('helm', HELM(helm ?? '')),
        kerf: kerfCommand,
      },
      who,
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    try {
      const steps = guideSteps('azure')
      const outputs = new Map<string, string>()
      for (const step of steps) outputs.set(step.heading, await shell.run(step))
      expect(shell.unrun(steps)).toEqual([])
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')

      const assigned = calls.filter((call) => call.startsWith('az role assignment create '))
      const used = { hasIdentities: true, hasEncryptionSet: false, useSIG: false, isMachineMode: false }
      const needed = roleAssignments({
        ...{ ...used, subscription: SUBSCRIPTION, resourceGroup: '', nodeResourceGroup: GROUP },
        ...{ subnetIds: [SUBNET], encryptionSetId: '', sigSubscription: '' },
      })
      expect(assigned).toHaveLength(needed.length)
      for (const [index, { role, scope }] of needed.entries()) {
        expect(assigned[index]).toContain(`--assignee-object-id ${PRINCIPAL} `)
        expect(assigned[index]).toContain(`--role ${builtInRoles[role].id} `)
        expect(assigned[index]).toMatch(new RegExp(`--scope ${scope}$`))
      }

      expect(outputs.get('4. Look before you install')).toMatch(/0 failed, 1 skipped; nothing was changed\n$/)

      const objects = parseDocuments(written('rendered.yaml'))
      const of = (kind: string) =>
        objects.find((object) => object.kind === kind && object.metadata.name === 'karpenter')
      const [deployment, account] = [of('Deployment'), of('ServiceAccount')]
      if (deployment === undefined || account === undefined) throw new Error('the chart rendered no controller')
      const { template } = deploymentSpec(deployment)
      expect(template.metadata.labels['azure.workload.identity/use']).toBe('true')
      expect(account.metadata.annotations?.['azure.workload.identity/client-id']).toBe(CLIENT)
      const subject = `system:serviceaccount:kube-system:${template.spec.serviceAccountName}`
      expect(calls.find((call) => call.startsWith('az identity federated-credential'))).toContain(
        `--subject ${subject} `,
      )
      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(azureSettings, env)
      expect(settingProblems(settings)).toEqual([])
      expect(settings).toMatchObject({
        ...{ kubeletBootstrapToken: 'abcdef.0123456789abcdef', clusterEndpoint: ENDPOINT, vnetSubnetID: SUBNET },
        ...{ nodeIdentities: [IDENTITY], kubeletIdentityClientID: KUBELET_CLIENT, clusterName: 'kerf-demo' },
        sshPublicKey: 'ssh-rsa AAAAB3NzaC1yc2E= reader@laptop',
      })

      // The command that the guide runs in the controller's pod, with the environment of the pod.
      const inPod = calls.find((call) => call.includes(' exec deployment/karpenter -- '))?.split(' -- ')[1] ?? ''
      const [, entry = '[]'] =
        /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8')) ?? []
      const program: readonly string[] = JSON.parse(entry)
      expect(inPod).toBe(`${program.slice(0, -1).join(' ')} azure verify`)
      const check = await startKerf(['azure', 'verify'], {
        env: { ...bareEnvironment(), ...env, ...who, HOME: shell.directory },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toContain(IDENTITY)

      const clock = new VirtualClock()
      const cluster = new SandboxCluster({ clock, random: new SeededRandom(1) })
      await installCustomResources(cluster.client, [aksNodeClassResource])
      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        AKSNodeClass: aksNodeClassResource.kind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual(['AKSNodeClass', 'NodePool', 'Deployment'])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata, ...rest } = object
        await cluster.client.create(kind, {
          ...rest,
          metadata: { ...metadata, ...(object.kind === 'Deployment' ? { namespace: 'default' } : {}) },
        })
      }
    } finally {
      shell.close()
      await served.close()
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
