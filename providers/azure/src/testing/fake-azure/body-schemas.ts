import { ArmError } from './arm-response.ts'

/** The allowed values in a request body. */
export type BodySchema =
  | 'text'
  | 'number'
  | 'flag'
  | 'tags'
  | 'any'
  | { readonly list: BodySchema }
  | { readonly map: BodySchema }
  | { readonly fields: Readonly<Record<string, BodySchema>>; readonly required?: readonly string[] }

const fields = (
  of: Readonly<Record<string, BodySchema>>,
  required: readonly string[] = [],
): { readonly fields: Readonly<Record<string, BodySchema>>; readonly required: readonly string[] } => ({
  fields: of,
  required,
})
const reference = fields({ id: 'text' }, ['id'])

const identity = fields({ type: 'text', userAssignedIdentities: { map: fields({}) } }, ['type'])

/** The fields of `VirtualMachine` that nodes need. */
export const vmBody = fields(
  {
    location: 'text',
    zones: { list: 'text' },
    tags: 'tags',
    identity,
    properties: fields(
      {
        hardwareProfile: fields({ vmSize: 'text' }, ['vmSize']),
        storageProfile: fields({
          imageReference: fields({ id: 'text', communityGalleryImageId: 'text' }),
          osDisk: fields(
            {
              name: 'text',
              createOption: 'text',
              diskSizeGB: 'number',
              deleteOption: 'text',
              caching: 'text',
              diffDiskSettings: fields({ option: 'text', placement: 'text' }),
              managedDisk: fields({ diskEncryptionSet: reference }),
            },
            ['createOption'],
          ),
        }),
        networkProfile: fields({
          networkInterfaces: {
            list: fields({ id: 'text', properties: fields({ primary: 'flag', deleteOption: 'text' }) }, ['id']),
          },
        }),
        osProfile: fields({
          computerName: 'text',
          adminUsername: 'text',
          customData: 'text',
          linuxConfiguration: fields({
            disablePasswordAuthentication: 'flag',
            ssh: fields({ publicKeys: { list: fields({ keyData: 'text', path: 'text' }) } }),
          }),
        }),
        priority: 'text',
        evictionPolicy: 'text',
        billingProfile: fields({ maxPrice: 'number' }),
        securityProfile: fields({
          encryptionAtHost: 'flag',
          securityType: 'text',
          uefiSettings: fields({ vTpmEnabled: 'flag', secureBootEnabled: 'flag' }),
        }),
        additionalCapabilities: fields({ ultraSSDEnabled: 'flag' }),
      },
      ['hardwareProfile', 'storageProfile', 'osProfile', 'networkProfile'],
    ),
  },
  ['location', 'properties'],
)

/** The fields of `VirtualMachineUpdate` that the provider uses. */
export const vmUpdateBody = fields({ tags: 'tags', identity })

/** The fields of `NetworkInterface` that nodes need. */
export const nicBody = fields(
  {
    location: 'text',
    tags: 'tags',
    properties: fields(
      {
        ipConfigurations: {
          list: fields(
            {
              name: 'text',
              properties: fields(
                {
                  primary: 'flag',
                  privateIPAllocationMethod: 'text',
                  subnet: reference,
                  loadBalancerBackendAddressPools: { list: reference },
                },
                ['subnet'],
              ),
            },
            ['name', 'properties'],
          ),
        },
        enableAcceleratedNetworking: 'flag',
        enableIPForwarding: 'flag',
        networkSecurityGroup: reference,
      },
      ['ipConfigurations'],
    ),
  },
  ['location', 'properties'],
)

/** `TagsObject`. */
export const tagsBody = fields({ tags: 'tags' })

/** The fields of `VirtualMachineExtension` that the provider uses. */
export const extensionBody = fields(
  {
    location: 'text',
    tags: 'tags',
    properties: fields(
      { publisher: 'text', type: 'text', typeHandlerVersion: 'text', autoUpgradeMinorVersion: 'flag', settings: 'any' },
      ['publisher', 'type', 'typeHandlerVersion'],
    ),
  },
  ['location', 'properties'],
)

/** `QueryRequest`. */
export const queryBody = fields(
  {
    query: 'text',
    subscriptions: { list: 'text' },
    options: fields({ resultFormat: 'text', $skipToken: 'text', $top: 'number', $skip: 'number' }),
  },
  ['query'],
)

const dnsOverrides = {
  map: fields({
    ...{ queryLogging: 'text', protocol: 'text', forwardDestination: 'text', forwardPolicy: 'text' },
    ...{ maxConcurrent: 'number', cacheDurationInSeconds: 'number', serveStaleDurationInSeconds: 'number' },
    serveStale: 'text',
  }),
} as const

/**
 * The fields of `Machine` that nodes need. The public specification calls `nodeImageVersion` read-only, but
 * karpenter-provider-azure 352646f writes it.
 */
export const machineBody = fields(
  {
    zones: { list: 'text' },
    properties: fields(
      {
        network: fields({ vnetSubnetID: 'text' }),
        hardware: fields({ vmSize: 'text', gpuProfile: fields({ driver: 'text' }), ultraSsdEnabled: 'flag' }, [
          'vmSize',
        ]),
        operatingSystem: fields({
          ...{ osType: 'text', osSKU: 'text', osDiskSizeGB: 'number', osDiskType: 'text', enableFIPS: 'flag' },
          linuxProfile: fields({
            linuxOSConfig: fields({
              sysctls: { map: 'any' },
              ...{ transparentHugePageEnabled: 'text', transparentHugePageDefrag: 'text', swapFileSizeMB: 'number' },
            }),
          }),
        }),
        kubernetes: fields({
          nodeLabels: { map: 'text' },
          orchestratorVersion: 'text',
          kubeletConfig: fields({
            ...{
              cpuManagerPolicy: 'text',
              cpuCfsQuota: 'flag',
              cpuCfsQuotaPeriod: 'text',
              topologyManagerPolicy: 'text',
            },
            ...{ imageGcHighThreshold: 'number', imageGcLowThreshold: 'number', failSwapOn: 'flag' },
            ...{ containerLogMaxSizeMB: 'number', containerLogMaxFiles: 'number', podMaxPids: 'number' },
            allowedUnsafeSysctls: { list: 'text' },
          }),
          nodeInitializationTaints: { list: 'text' },
          nodeTaints: { list: 'text' },
          maxPods: 'number',
          artifactStreamingProfile: fields({ enabled: 'flag' }),
        }),
        mode: 'text',
        security: fields({
          ...{ sshAccess: 'text', enableEncryptionAtHost: 'flag', enableVTPM: 'flag', enableSecureBoot: 'flag' },
        }),
        priority: 'text',
        nodeImageVersion: 'text',
        tags: 'tags',
        localDNSProfile: fields({ mode: 'text', vnetDNSOverrides: dnsOverrides, kubeDNSOverrides: dnsOverrides }),
      },
      ['hardware'],
    ),
  },
  ['properties'],
)

/** `AgentPoolDeleteMachinesParameter`. */
export const machineNamesBody = fields({ machineNames: { list: 'text' } }, ['machineNames'])

/** The limits of Resource Manager: learn.microsoft.com, "Use tags to organize your Azure resources". */
const LIMITS = { tags: 50, key: 512, value: 256 }

const checkTags = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) throw refusal('tags', 'an object')
  const entries = Object.entries(value)
  if (entries.length > LIMITS.tags)
    throw new ArmError(
      400,
      'InvalidTagsCount',
      `The number of tags '${entries.length}' exceeds the limit of ${LIMITS.tags}`,
    )
  for (const [key, text] of entries) {
    if (key.length > LIMITS.key || /[<>%&\\?/]/.test(key))
      throw new ArmError(
        400,
        'InvalidTagNameCharacters',
        `The tag name '${key}' has reserved characters or is too long`,
      )
    if (typeof text !== 'string' || text.length > LIMITS.value)
      throw new ArmError(400, 'InvalidTagValueLength', `The value of the tag '${key}' is no text or too long`)
  }
}

const refusal = (path: string, what: string): ArmError =>
  new ArmError(400, 'InvalidParameter', `The value of parameter ${path} is invalid: it must be ${what}.`)

/**
 * Validates a body against its schema.
 *
 * @throws ArmError for an unknown field, a missing field, and a value of another type.
 */
export const checkBody = (value: unknown, schema: BodySchema, path: string): void => {
  if (schema === 'any') return
  if (schema === 'tags') {
    checkTags(value)
    return
  }
  if (schema === 'text' || schema === 'number' || schema === 'flag') {
    const kind = schema === 'text' ? 'string' : schema === 'flag' ? 'boolean' : 'number'
    if (typeof value !== kind) throw refusal(path, `a ${kind}`)
    return
  }
  if ('list' in schema) {
    if (!Array.isArray(value)) throw refusal(path, 'a list')
    for (const [index, item] of value.entries()) checkBody(item, schema.list, `${path}[${index}]`)
    return
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal(path, 'an object')
  if ('map' in schema) {
    for (const [key, item] of Object.entries(value)) checkBody(item, schema.map, `${path}.${key}`)
    return
  }
  const { required = [] } = schema
  for (const key of required)
    if (!(key in value))
      throw new ArmError(400, 'InvalidParameter', `Required parameter '${path}.${key}' is missing (null).`)
  for (const [key, item] of Object.entries(value)) {
    const own = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined
    if (own === undefined)
      throw new ArmError(
        400,
        'InvalidRequestContent',
        `The request content was invalid and could not be deserialized: 'Could not find member '${key}' on object of type '${path}'.`,
      )
    checkBody(item, own, `${path}.${key}`)
  }
}
