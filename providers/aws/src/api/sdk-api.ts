import type { InstanceProfile as SdkInstanceProfile } from '@aws-sdk/client-iam'
import { lazily } from '@kerf/provider-kit'
import type { AwsApi, EksApi, IamApi, InstanceProfile, PricingApi, SqsApi, SsmApi, StsApi } from './aws-api.ts'
import { clientConfig, type SdkOptions, sdkMeter } from './sdk-clients.ts'
import { SdkEc2 } from './sdk-ec2.ts'
import { sdkSavingsPlans } from './sdk-savings-plans.ts'
import { sdkZonalShift } from './sdk-zonal-shift.ts'

type Meter = ReturnType<typeof sdkMeter>

const sdkSsm = (options: SdkOptions, meter: Meter): SsmApi => {
  const sdk = lazily(() => import('./clients/ssm.ts'))
  const client = lazily(async () => meter(new (await sdk()).SSMClient(clientConfig(options)), 'SSM'))
  return {
    getParameter: async (Name, abortSignal) => {
      const { GetParameterCommand } = await sdk()
      return (await (await client()).send(new GetParameterCommand({ Name }), { abortSignal })).Parameter?.Value
    },
  }
}

const readProfile = (profile: SdkInstanceProfile | undefined): InstanceProfile => ({
  name: profile?.InstanceProfileName ?? '',
  path: profile?.Path ?? '/',
  roles: (profile?.Roles ?? []).flatMap(({ RoleName }) => RoleName ?? []),
})

const sdkIam = (options: SdkOptions, meter: Meter): IamApi => {
  const sdk = lazily(() => import('./clients/iam.ts'))
  const client = lazily(async () => meter(new (await sdk()).IAMClient(clientConfig(options)), 'IAM'))
  return {
    getInstanceProfile: async (InstanceProfileName, abortSignal) => {
      const { GetInstanceProfileCommand } = await sdk()
      const answer = await (await client()).send(new GetInstanceProfileCommand({ InstanceProfileName }), {
        abortSignal,
      })
      return readProfile(answer.InstanceProfile)
    },
    listInstanceProfiles: async (PathPrefix, abortSignal) => {
      const { paginateListInstanceProfiles } = await sdk()
      const all: InstanceProfile[] = []
      for await (const page of paginateListInstanceProfiles(
        { client: await client() },
        { PathPrefix },
        { abortSignal },
      )) {
        all.push(...(page.InstanceProfiles ?? []).map(readProfile))
      }
      return all
    },
    createInstanceProfile: async ({ name, path, tags }, abortSignal) => {
      const { CreateInstanceProfileCommand } = await sdk()
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
      const command = new CreateInstanceProfileCommand({ InstanceProfileName: name, Path: path, Tags })
      return readProfile((await (await client()).send(command, { abortSignal })).InstanceProfile)
    },
    deleteInstanceProfile: async (InstanceProfileName, abortSignal) => {
      const { DeleteInstanceProfileCommand } = await sdk()
      await (await client()).send(new DeleteInstanceProfileCommand({ InstanceProfileName }), { abortSignal })
    },
    addRole: async (InstanceProfileName, RoleName, abortSignal) => {
      const { AddRoleToInstanceProfileCommand } = await sdk()
      await (await client()).send(new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName }), {
        abortSignal,
      })
    },
    removeRole: async (InstanceProfileName, RoleName, abortSignal) => {
      const { RemoveRoleFromInstanceProfileCommand } = await sdk()
      await (await client()).send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }), {
        abortSignal,
      })
    },
  }
}

/** Returns the region of the nearest Pricing API. The API exists in only four regions (`providers/aws/docs/spec/aws.md#prices`). */
export const choosePricingRegion = (region: string): string => {
  if (region.startsWith('ap-')) return 'ap-south-1'
  if (region.startsWith('cn-')) return 'cn-northwest-1'
  if (region.startsWith('eu-')) return 'eu-central-1'
  return 'us-east-1'
}

const sdkPricing = (options: SdkOptions, meter: Meter): PricingApi => {
  const sdk = lazily(() => import('./clients/pricing.ts'))
  const region = choosePricingRegion(options.region)
  const client = lazily(async () =>
    meter(new (await sdk()).PricingClient(clientConfig(options, { region })), 'Pricing'),
  )
  return {
    getProducts: async (ServiceCode, attributes, abortSignal) => {
      const { paginateGetProducts } = await sdk()
      const Filters = Object.entries(attributes).map(([Field, Value]) => ({
        Type: 'TERM_MATCH' as const,
        Field,
        Value,
      }))
      const pages = paginateGetProducts(
        { client: await client(), pageSize: 100 },
        { ServiceCode, Filters },
        { abortSignal },
      )
      const all: string[] = []
      // The SDK returns lazy string objects. Only `String` converts them to text.
      for await (const page of pages) for (const item of page.PriceList ?? []) all.push(String(item))
      return all
    },
  }
}

const sdkSqs = (options: SdkOptions, meter: Meter): SqsApi => {
  const sdk = lazily(() => import('./clients/sqs.ts'))
  const client = lazily(async () =>
    meter(
      // By default, the client sends requests to the queue's URL and ignores a custom endpoint.
      new (await sdk()).SQSClient({ ...clientConfig(options), useQueueUrlAsEndpoint: false }),
      'SQS',
    ),
  )
  return {
    queueUrl: async (QueueName, abortSignal) => {
      const { GetQueueUrlCommand } = await sdk()
      return (await (await client()).send(new GetQueueUrlCommand({ QueueName }), { abortSignal })).QueueUrl ?? ''
    },
    receive: async (QueueUrl, abortSignal) => {
      const { ReceiveMessageCommand } = await sdk()
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 20,
        WaitTimeSeconds: 20,
        MessageSystemAttributeNames: ['SentTimestamp'],
      })
      const { Messages } = await (await client()).send(command, { abortSignal })
      return (Messages ?? []).map(({ Body, ReceiptHandle }) => ({ body: Body, receiptHandle: ReceiptHandle }))
    },
    delete: async (QueueUrl, ReceiptHandle, abortSignal) => {
      const { DeleteMessageCommand } = await sdk()
      await (await client()).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }), { abortSignal })
    },
  }
}

const present = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  (value === undefined || value === '' ? {} : { [key]: value }) as { readonly [P in K]?: string }

const sdkEks = (options: SdkOptions, meter: Meter): EksApi => {
  const sdk = lazily(() => import('./clients/eks.ts'))
  const client = lazily(async () => meter(new (await sdk()).EKSClient(clientConfig(options)), 'EKS'))
  return {
    describeCluster: async (name, abortSignal) => {
      const { DescribeClusterCommand } = await sdk()
      const { cluster } = await (await client()).send(new DescribeClusterCommand({ name }), { abortSignal })
      const network = cluster?.kubernetesNetworkConfig
      return {
        ...present('arn', cluster?.arn),
        ...present('endpoint', cluster?.endpoint),
        ...present('version', cluster?.version),
        ...present('serviceCidr', network?.serviceIpv4Cidr ?? network?.serviceIpv6Cidr),
        ...present('caBundle', cluster?.certificateAuthority?.data),
      }
    },
  }
}

const sdkSts = (options: SdkOptions, meter: Meter): StsApi => {
  const sdk = lazily(() => import('./clients/sts.ts'))
  const client = lazily(async () => meter(new (await sdk()).STSClient(clientConfig(options)), 'STS'))
  return {
    callerIdentity: async (abortSignal) => {
      const { GetCallerIdentityCommand } = await sdk()
      const answer = await (await client()).send(new GetCallerIdentityCommand({}), { abortSignal })
      return { account: answer.Account ?? '', arn: answer.Arn ?? '' }
    },
  }
}

/** Returns the AWS API through the SDK. The client of each service is loaded and created at its first call. */
export const sdkApi = (options: SdkOptions): AwsApi => {
  const meter = sdkMeter(options)
  return {
    ec2: new SdkEc2(options, meter),
    ssm: sdkSsm(options, meter),
    iam: sdkIam(options, meter),
    pricing: sdkPricing(options, meter),
    sqs: sdkSqs(options, meter),
    eks: sdkEks(options, meter),
    sts: sdkSts(options, meter),
    zonalShift: sdkZonalShift(options),
    savingsPlans: sdkSavingsPlans(options, meter),
  }
}
