import { offlineInstanceTypes } from '@kerf/provider-aws/offline'
import type { StartBench } from '../../../tests/benchmarks/start/start-bench.ts'
import { AwsAccount, applyAll, CLUSTER, QUEUE } from '../tests/aws-story.ts'

/** Starts the controller on an emulated account that has all instance types of AWS. */
export const startBench: StartBench = {
  provider: 'aws',
  open: async (server) => {
    const account = await AwsAccount.open()
    account.proxy.types = offlineInstanceTypes().map(({ name }) => name)
    return {
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL: account.proxy.endpoint,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        CLUSTER_NAME: CLUSTER,
        CLUSTER_ENDPOINT: server,
        INTERRUPTION_QUEUE: QUEUE,
      },
      restsWith: 'karpenter_cloudprovider_instance_type_cpu_cores',
      prepare: (client) => applyAll(client, 0),
      close: () => account.close(),
    }
  },
}
