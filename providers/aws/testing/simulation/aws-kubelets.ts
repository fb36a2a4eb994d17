import { type FakeEc2, type FakeInstance, fakeNode } from '@kerf/provider-aws/testing'
import { InstanceKubelets, type KubeletsDeps } from '../../../../tests/simulation/environment/instance-kubelets.ts'

const idOf = ({ data }: FakeInstance): string => data.InstanceId

/** The kubelets of EC2 instances. Each registers its Node as the user data specifies. */
export const awsKubelets = (ec2: FakeEc2, deps: Omit<KubeletsDeps, 'nodeOf'>): InstanceKubelets => {
  const kubelets = new InstanceKubelets({
    ...deps,
    nodeOf: (id) => {
      const instance = ec2.instances.get(id)
      return instance === undefined || instance.endsAt !== undefined ? undefined : fakeNode(instance, ec2.types)
    },
  })
  ec2.watchers.push({
    launched: (instance) => kubelets.boot(idOf(instance)),
    ending: (instance) => kubelets.end(`ip-${idOf(instance)}`, instance.endsAt - deps.clock.monotonic()),
  })
  return kubelets
}
