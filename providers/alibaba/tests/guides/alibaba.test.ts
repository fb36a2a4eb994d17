import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateClusterRequest } from '@alicloud/cs20151215/dist/models/CreateClusterRequest.js'
import { CreateVpcRequest } from '@alicloud/vpc20160428/dist/models/CreateVpcRequest.js'
import { CreateVSwitchRequest } from '@alicloud/vpc20160428/dist/models/CreateVswitchRequest.js'
import { DeleteVpcRequest } from '@alicloud/vpc20160428/dist/models/DeleteVpcRequest.js'
import { DeleteVSwitchRequest } from '@alicloud/vpc20160428/dist/models/DeleteVswitchRequest.js'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import { ecsNodeClassResource } from '@kerf/provider-alibaba/node-class'
import { CLUSTER, FakeAccount, FakeAlibaba, REGION } from '@kerf/provider-alibaba/testing'
import { parseSettings, SeededRandom, SystemClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { documentText, guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment, deploymentSpec } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { controllerPolicy, trustPolicy } from '../../src/ram/ram-policy.ts'
import { alibabaSettings } from '../../src/settings/alibaba-settings.ts'
import { alibabaEnv } from '../../src/testing/fake-alibaba/alibaba-env.ts'
import { serveAlibaba } from '../../src/testing/fake-alibaba/loopback.ts'
import { modelProblems } from './model-fields.ts'

const ACCOUNT = '1234567890123456'
const ISSUER = `https://oidc-ack-${REGION}.oss-${REGION}.aliyuncs.com/${CLUSTER}`
const ROLE = `karpenter-${CLUSTER}`
const CLUSTER_DETAIL = {
  state: 'running',
  security_group_id: 'sg-nodes',
  rrsa_config: { enabled: true, issuer: `${ISSUER},https://other.example` },
}

/** A shell script that replaces the Alibaba Cloud CLI. It returns the responses of the fake account. */
const aliyun = (kubeconfig: string): string => `case "$*" in
  'sts GetCallerIdentity') echo '{"AccountId":"${ACCOUNT}"}' ;;
  'vpc CreateVpc '*) echo '{"VpcId":"vpc-1"}' ;;
  'vpc CreateVSwitch '*) echo '{"VSwitchId":"vsw-h"}' ;;
  'cs POST /clusters '*) printf %s "\${!#}" > "$HOME/cluster.json"; echo '{"cluster_id":"${CLUSTER}"}' ;;
  'cs GET /clusters/${CLUSTER}') echo '${JSON.stringify(CLUSTER_DETAIL)}' ;;
  'cs GET /k8s/${CLUSTER}/user_config') echo '${JSON.stringify({ config: kubeconfig })}' ;;
  'cs DELETE /clusters/${CLUSTER}') ;;
  'ram CreatePolicy '* | 'ram CreateRole '* | 'ram AttachPolicyToRole '*) ;;
  'ram DetachPolicyFromRole '* | 'ram DeleteRole '* | 'ram DeletePolicy '*) ;;
  *) echo "aliyun $*: not in the guide" >&2; exit 2 ;;
esac`

const KUBECTL = `case "$*" in
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

/** Returns the parameters of a command such as `aliyun vpc CreateVpc --RegionId cn-hangzhou`. */
const parametersIn = (command: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...command.matchAll(/ --(\w+) (\S+)/g)].map(([, name = '', value = '']) => [name, value]))

/** The VPC actions that the guide calls, each with the request class that the vendor's SDK generates for it. */
const vpcModels = { CreateVpc: CreateVpcRequest, CreateVSwitch: CreateVSwitchRequest }
const vpcDeletions = { DeleteVSwitch: DeleteVSwitchRequest, DeleteVpc: DeleteVpcRequest }

const helm = findHelm()

test('the requests of the guide that delete the network have the fields of the vendor’s SDK', () => {
  for (const [action, model] of Object.entries(vpcDeletions)) {
    const command = documentText('guides/alibaba')
      .split('\n')
      .find((line) => line.startsWith(`aliyun vpc ${action} `))
    expect(modelProblems(model, parametersIn(command ?? '')), action).toEqual([])
  }
})

describe.skipIf(helm === undefined)('the guide from an empty account', () => {
  test('Kerf’s commands run, the role has what Kerf needs, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-alibaba-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const cloud = new FakeAlibaba(new FakeAccount(new SystemClock()))
    const sandbox = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(1) })
    await installCustomResources(sandbox.client, [ecsNodeClassResource])
    const [served, server] = await Promise.all([serveAlibaba(cloud), SandboxServer.start(sandbox.api)])
    // The test sets only the reader's keys and the address of Alibaba Cloud. The guide sets everything else.
    const { CLUSTER_ID: _, REGION_ID: __, ...who } = alibabaEnv(served)
    const shell = new GuideShell(
      {
        aliyun: standIn('aliyun', aliyun(server.kubeconfig())),
        kubectl: standIn('kubectl', KUBECTL),
        helm: standIn('helm', HELM(helm ?? '')),
        sleep: standIn('sleep', ''),
        kerf: kerfCommand,
      },
      who,
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    try {
      const steps = guideSteps('alibaba')
      const outputs = new Map<string, string>()
      for (const step of steps) outputs.set(step.heading, await shell.run(step))
      expect(shell.unrun(steps)).toEqual([])
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')
      const call = (start: string): string => calls.find((each) => each.startsWith(`aliyun ${start} `)) ?? ''

      for (const [action, model] of Object.entries(vpcModels))
        expect(modelProblems(model, parametersIn(call(`vpc ${action}`))), action).toEqual([])
      expect(modelProblems(CreateClusterRequest, JSON.parse(written('cluster.json')))).toEqual([])

      const policy = JSON.stringify(controllerPolicy())
      expect(call('ram CreatePolicy')).toBe(`aliyun ram CreatePolicy --PolicyName ${ROLE} --PolicyDocument ${policy}`)
      const rendered = parseDocuments(written('rendered.yaml'))
      const named = (kind: string) =>
        rendered.find((object) => object.kind === kind && object.metadata.name === 'karpenter')
      const [deployment, account] = [named('Deployment'), named('ServiceAccount')]
      if (deployment === undefined || account === undefined) throw new Error('the chart rendered no controller')
      // ACK's webhook assigns the role to the pods of this service account.
      expect(account.metadata.annotations?.['pod-identity.alibabacloud.com/role-name']).toBe(ROLE)
      const { serviceAccountName: serviceAccount } = deploymentSpec(deployment).template.spec
      const pod = { clusterId: CLUSTER, accountId: ACCOUNT, issuer: ISSUER, namespace: 'kube-system', serviceAccount }
      expect(call('ram CreateRole')).toBe(
        `aliyun ram CreateRole --RoleName ${ROLE} --AssumeRolePolicyDocument ${JSON.stringify(trustPolicy(pod))}`,
      )
      // The guide deletes exactly what roles.sh created.
      for (const deletion of [
        `DetachPolicyFromRole --PolicyType Custom --PolicyName ${ROLE} --RoleName ${ROLE}`,
        `DeleteRole --RoleName ${ROLE}`,
        `DeletePolicy --PolicyName ${ROLE}`,
      ])
        expect(calls).toContain(`aliyun ram ${deletion}`)
      expect(outputs.get('4. Look before you install')).toMatch(/0 failed, \d skipped; nothing was changed\n$/)

      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(alibabaSettings, env)
      expect(settings).toMatchObject({ clusterID: CLUSTER, regionID: REGION, alibabaCloudNetwork: 'vpc' })

      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        ECSNodeClass: ecsNodeClassResource.kind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual(['ECSNodeClass', 'NodePool', 'Deployment'])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata: own, ...rest } = object
        const namespace = object.kind === 'Deployment' ? { namespace: 'default' } : {}
        await sandbox.client.create(kind, { ...rest, metadata: { ...own, ...namespace } })
      }

      // The guide runs this command in the controller's pod. The test also runs it, with the same environment and the guide's objects.
      expect(calls.find((each) => each.includes(' exec deployment/karpenter -- '))).toMatch(/ alibaba verify$/)
      const check = await startKerf(['alibaba', 'verify'], {
        env: { ...bareEnvironment(), ...env, ...who, HOME: shell.directory },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toMatch(/250 in vsw-h\n +ECSNodeClass default/)
      expect(cloud.problems).toEqual([])
    } finally {
      shell.close()
      await Promise.all([served.close(), server.close()])
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
