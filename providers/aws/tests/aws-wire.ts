/** The failure that the proxy returns instead of forwarding a call. */
export interface ProxyFault {
  readonly status: number
  readonly code: string
  readonly message?: string
  /** If true, the connection breaks after the emulator has done its work. Otherwise, it breaks before. */
  readonly afterwards?: boolean
}

/** The response of the proxy. */
export interface ProxyResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

const NAMESPACE = 'http://ec2.amazonaws.com/doc/2016-11-15/'
export const xml = (action: string, body: string): ProxyResponse => ({
  status: 200,
  type: 'text/xml',
  body: `<?xml version="1.0"?><${action}Response xmlns="${NAMESPACE}"><requestId>req</requestId>${body}</${action}Response>`,
})
export const xmlError = ({ status, code, message = code }: ProxyFault): ProxyResponse => ({
  status,
  type: 'text/xml',
  body: `<?xml version="1.0"?><Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>req</RequestID></Response>`,
})
export const json = (value: unknown, status = 200): ProxyResponse => ({
  status,
  type: 'application/x-amz-json-1.1',
  body: JSON.stringify(value),
})

export const tagsIn = (form: URLSearchParams, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form.keys()].flatMap((key) => {
      const [, index] = new RegExp(`^${prefix.replaceAll('.', '\\.')}\\.Tag\\.(\\d+)\\.Key$`).exec(key) ?? []
      return index === undefined ? [] : [[form.get(key) ?? '', form.get(`${prefix}.Tag.${index}.Value`) ?? '']]
    }),
  )

/** Adds the security group that EKS creates for each cluster. The emulator returns only the groups of the request. */
export const withClusterGroup = (response: ProxyResponse): ProxyResponse => {
  if (response.status !== 200) return response
  const { cluster } = JSON.parse(response.body) as {
    cluster: { resourcesVpcConfig?: { securityGroupIds?: readonly string[]; clusterSecurityGroupId?: string } }
  }
  const network = cluster.resourcesVpcConfig
  const clusterSecurityGroupId = network?.clusterSecurityGroupId ?? network?.securityGroupIds?.[0]
  return json({ cluster: { ...cluster, resourcesVpcConfig: { ...network, clusterSecurityGroupId } } })
}

export interface Override {
  readonly template: string
  readonly fields: Readonly<Record<string, string>>
}

export const overridesIn = (form: URLSearchParams): readonly Override[] => {
  const overrides = new Map<string, { template: string; fields: Record<string, string> }>()
  for (const [key, value] of form) {
    const [, config, index, field] = /^LaunchTemplateConfigs\.(\d+)\.Overrides\.(\d+)\.(\w+)$/.exec(key) ?? []
    if (config === undefined || index === undefined || field === undefined) continue
    const template = form.get(`LaunchTemplateConfigs.${config}.LaunchTemplateSpecification.LaunchTemplateName`) ?? ''
    const known = overrides.get(`${config}.${index}`) ?? { template, fields: {} }
    known.fields[field] = value
    overrides.set(`${config}.${index}`, known)
  }
  return [...overrides.values()]
}

/**
 * Returns the launch template and the override of an entry in the format of EC2. EC2 identifies the template by its id and version, while
 * moto returns its name. Sources: `LaunchTemplateAndOverridesResponse` of the API model; EC2 User Guide, "Create an EC2 Fleet", example
 * output of type `instant`.
 */
export const overrideXml = ({ fields }: Override, templateId: string): string =>
  `<launchTemplateAndOverrides><launchTemplateSpecification><launchTemplateId>${templateId}</launchTemplateId><version>1</version></launchTemplateSpecification><overrides><instanceType>${fields['InstanceType'] ?? ''}</instanceType><subnetId>${fields['SubnetId'] ?? ''}</subnetId><availabilityZone>${fields['AvailabilityZone'] ?? ''}</availabilityZone></overrides></launchTemplateAndOverrides>`
