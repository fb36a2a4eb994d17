import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { follow, inHarness, isMissing, withImage } from './follow-guide.ts'

/** The initial state for the guide: an EKS cluster with three subnets and a security group. */
const EXISTING_CLUSTER = `
export AWS_DEFAULT_REGION=us-east-1
subnets="$(aws ec2 describe-subnets --query 'Subnets[:3].SubnetId' --output text | tr '\t' ',')"
group="$(aws ec2 describe-security-groups --query 'SecurityGroups[0].GroupId' --output text)"
aws eks create-cluster --name kerf-demo --role-arn arn:aws:iam::123456789012:role/cluster \\
  --resources-vpc-config "subnetIds=$subnets,securityGroupIds=$group" > /dev/null
`

/** A workload that came with the cluster. */
const METRICS_SERVER = `
kubectl --namespace kube-system create deployment metrics-server --replicas 2 \\
  --image registry.k8s.io/metrics-server/metrics-server:v0.8.0
`
const CRITICAL = 'Your own critical pods'

// This guide installs the same controller as the first guide (same-controller.test.ts). The test of the first guide checks what the
// controller launches.
test.skipIf(isMissing)('the guide, command by command: a small managed node group in an existing cluster', async () => {
  await inHarness('managed-nodes', async (session) => {
    await session.shell.run({ heading: 'the cluster that is there', commands: EXISTING_CLUSTER })
    const steps = withImage(guideSteps('managed-nodes'))
    const isLast = ({ heading }: { readonly heading: string }): boolean => heading === CRITICAL
    await follow(
      session,
      steps.filter((step) => !isLast(step)),
      {
        Kerf: async () => {
          const pods = (await session.client.list(kinds.Pod, { namespace: 'kube-system' })).items
          expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
            'system-0.ec2.internal',
            'system-1.ec2.internal',
          ])
        },
      },
    )
    await session.shell.run({ heading: 'what is critical', commands: METRICS_SERVER })
    const servers = async () =>
      (await session.client.list(kinds.Pod, { namespace: 'kube-system', labelSelector: 'app=metrics-server' })).items
    await follow(session, steps.filter(isLast), {
      [CRITICAL]: async () => {
        const ready = (await servers()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        expect(ready.map(({ spec }) => spec.nodeName ?? '').every((name) => name.startsWith('system-'))).toBe(true)
        expect(ready.length).toBeGreaterThanOrEqual(2)
      },
    })
  })
})
