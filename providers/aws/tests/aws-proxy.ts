import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import {
  json,
  type Override,
  overridesIn,
  overrideXml,
  type ProxyFault,
  type ProxyResponse,
  tagsIn,
  withClusterGroup,
  xml,
  xmlError,
} from './aws-wire.ts'
import { withDocumentsAsObjects } from './stack-template.ts'

/** Offerings without capacity: all offerings that match every given field. */
export interface Shortage {
  readonly capacityType?: 'spot' | 'on-demand'
  readonly instanceType?: string
  readonly zone?: string
}

/** A launch template as the request defined it. */
export interface ProxyTemplate {
  readonly id: string
  readonly userData: string
  readonly securityGroups: readonly string[]
  readonly imageId: string
  readonly profile: string
  readonly tags: Readonly<Record<string, string>>
}

/**
 * A reverse proxy that adds the behavior of AWS that an emulator lacks (`providers/aws/docs/spec/aws-emulation.md#closing-the-gaps`): missing calls,
 * prices, shortages, idempotent fleets, the fields of a launch template that the emulator drops, and faults on request.
 */
export class AwsProxy {
  readonly calls: string[] = []
  readonly templates = new Map<string, ProxyTemplate>()
  /** The launch template of each instance. */
  readonly launchedFrom = new Map<string, string>()
  readonly parameters = new Map<string, string>()
  readonly shortages: Shortage[] = []
  /** Instances with the attribute DisableApiTermination. */
  readonly protectedInstances = new Set<string>()
  /** The only instance types that exist. If empty, all types exist. */
  types: readonly string[] = []
  /** Returns the price per hour in USD. */
  priceOf: (type: string, capacityType: 'spot' | 'on-demand') => number = () => 1
  /** Returns the fault of a call, or undefined if the call succeeds. */
  fault: (action: string) => ProxyFault | undefined = () => undefined
  readonly #fleets = new Map<string, { readonly asked: string; readonly answer: ProxyResponse }>()
  readonly #motoPort: number
  readonly #server: Server
  #port = 0

  private constructor(motoPort: number) {
    this.#motoPort = motoPort
    this.#server = createServer((incoming, outgoing) => void this.#handle(incoming, outgoing))
  }

  static async start(motoPort: number): Promise<AwsProxy> {
    const proxy = new AwsProxy(motoPort)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    const address = proxy.#server.address()
    if (address === null || typeof address !== 'object') throw new Error('a listening server has an address')
    proxy.#port = address.port
    return proxy
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  count(action: string): number {
    return this.calls.filter((call) => call === action).length
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const target = String(incoming.headers['x-amz-target'] ?? '')
    const form = new URLSearchParams(target === '' ? body : '')
    const action =
      target === ''
        ? (form.get('Action') ?? `${incoming.method ?? ''} ${incoming.url ?? ''}`)
        : (target.split('.').at(-1) ?? target)
    this.calls.push(form.get('DryRun') === 'true' ? `${action}?` : action)
    try {
      const fault = this.fault(action)
      if (fault !== undefined && fault.afterwards !== true) {
        this.#send(
          outgoing,
          target === ''
            ? xmlError(fault)
            : json({ __type: fault.code, message: fault.message ?? fault.code }, fault.status),
        )
        return
      }
      const answer = await this.#answer(action, form, body, incoming)
      if (fault === undefined) this.#send(outgoing, answer)
      else outgoing.destroy()
    } catch (error) {
      this.#send(outgoing, xmlError({ status: 500, code: 'ProxyError', message: String(error) }))
    }
  }

  #send(outgoing: ServerResponse, { status, type, body }: ProxyResponse): void {
    outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
    outgoing.end(body)
  }

  async #answer(
    action: string,
    form: URLSearchParams,
    body: string,
    incoming: IncomingMessage,
  ): Promise<ProxyResponse> {
    switch (action) {
      case 'GetParameter': {
        const name = String((JSON.parse(body) as { Name?: string }).Name ?? '')
        const value = this.parameters.get(name)
        return value === undefined
          ? json({ __type: 'ParameterNotFound', message: name }, 400)
          : json({ Parameter: { Name: name, Type: 'String', Value: value, Version: 1 } })
      }
      case 'GetProducts':
        return json({ FormatVersion: 'aws_v1', PriceList: this.#products(body) })
      case 'DescribeSpotPriceHistory':
        return xml(action, `<spotPriceHistorySet>${await this.#spotPrices()}</spotPriceHistorySet>`)
      case 'DescribeCapacityReservations':
        return xml(action, '<capacityReservationSet/>')
      case 'DescribePlacementGroups':
        return xml(action, '<placementGroupSet/>')
      case 'DescribeInstanceStatus':
        return xml(action, '<instanceStatusSet/>')
      case 'DescribeInstanceTypes':
      case 'DescribeInstanceTypeOfferings': {
        if (form.get('DryRun') === 'true') return xmlError({ status: 412, code: 'DryRunOperation' })
        const next = [...form.keys()].filter((key) => /^Filter\.\d+\.Name$/.test(key)).length + 1
        if (this.types.length > 0) form.set(`Filter.${next}.Name`, 'instance-type')
        for (const [index, type] of this.types.entries()) form.set(`Filter.${next}.Value.${index + 1}`, type)
        return this.#forward(incoming, form.toString())
      }
      case 'CreateChangeSet':
        form.set('TemplateBody', withDocumentsAsObjects(form.get('TemplateBody') ?? ''))
        return this.#forward(incoming, form.toString())
      case 'CreateLaunchTemplate':
        return this.#createTemplate(form, body, incoming)
      case 'DeleteLaunchTemplate': {
        const answer = await this.#forward(incoming, body)
        return answer.status === 400 ? xmlError({ status: 400, code: 'InvalidLaunchTemplateId.NotFound' }) : answer
      }
      case 'CreateFleet':
        return form.get('DryRun') === 'true' ? this.#forward(incoming, body) : this.#createFleet(form, body, incoming)
      case 'DescribeInstances': {
        const answer = await this.#forward(incoming, body)
        return { ...answer, body: this.#completed(answer.body) }
      }
      case 'TerminateInstances':
        return this.#terminate(form, body, incoming)
      default: {
        const answer = await this.#forward(incoming, body)
        return /^GET \/clusters\/[^/]+$/.test(action) ? withClusterGroup(answer) : answer
      }
    }
  }

  #forward(incoming: IncomingMessage, body: string): Promise<ProxyResponse> {
    return new Promise((resolve, reject) => {
      const { method, url: path, headers } = incoming
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.#motoPort,
          ...(method === undefined ? {} : { method }),
          ...(path === undefined ? {} : { path }),
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 500,
              type: answer.headers['content-type'] ?? 'text/xml',
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  #products(body: string): readonly string[] {
    const { Filters = [] } = JSON.parse(body) as { Filters?: readonly { Field: string; Value: string }[] }
    const isMetal = Filters.some(({ Value }) => Value.includes('bare metal'))
    return this.types
      .filter((type) => type.includes('metal') === isMetal)
      .concat(isMetal ? ['m5.metal'] : [])
      .map((type) =>
        JSON.stringify({
          product: { attributes: { instanceType: type } },
          terms: {
            OnDemand: {
              t: { priceDimensions: { d: { pricePerUnit: { USD: String(this.priceOf(type, 'on-demand')) } } } },
            },
          },
        }),
      )
  }

  async #spotPrices(): Promise<string> {
    const zones = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `us-east-1${letter}`)
    return this.types
      .flatMap((type) =>
        zones.map(
          (zone) =>
            `<item><instanceType>${type}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${this.priceOf(type, 'spot')}</spotPrice><timestamp>2026-01-01T00:00:00.000Z</timestamp><availabilityZone>${zone}</availabilityZone></item>`,
        ),
      )
      .join('')
  }

  async #createTemplate(form: URLSearchParams, body: string, incoming: IncomingMessage): Promise<ProxyResponse> {
    const data = 'LaunchTemplateData'
    const userData = Buffer.from(form.get(`${data}.UserData`) ?? '', 'base64').toString()
    if (Buffer.byteLength(userData) > 16_384)
      return xmlError({
        status: 400,
        code: 'InvalidUserData.Malformed',
        message: 'User data is limited to 16384 bytes',
      })
    const answer = await this.#forward(incoming, body)
    if (answer.status === 200) {
      const [, id = ''] = /<launchTemplateId>([^<]+)</.exec(answer.body) ?? []
      this.templates.set(form.get('LaunchTemplateName') ?? '', {
        id,
        userData,
        imageId: form.get(`${data}.ImageId`) ?? '',
        profile: form.get(`${data}.IamInstanceProfile.Name`) ?? '',
        securityGroups: [...form].flatMap(([key, value]) =>
          /^LaunchTemplateData\.NetworkInterface\.1\.SecurityGroupId\.\d+$/.test(key) ? [value] : [],
        ),
        tags: tagsIn(form, 'TagSpecification.1'),
      })
    }
    return answer
  }

  /**
   * Like EC2, launches the cheapest available offering and reports cheaper unavailable ones as errors. A repeated token returns the same
   * fleet.
   */
  async #createFleet(form: URLSearchParams, body: string, incoming: IncomingMessage): Promise<ProxyResponse> {
    const token = form.get('ClientToken') ?? ''
    const known = this.#fleets.get(token)
    if (known !== undefined)
      return known.asked === body ? known.answer : xmlError({ status: 400, code: 'IdempotentParameterMismatch' })
    const answer = await this.#launch(form, incoming)
    if (token !== '' && answer.status === 200) this.#fleets.set(token, { asked: body, answer })
    return answer
  }

  async #launch(form: URLSearchParams, incoming: IncomingMessage): Promise<ProxyResponse> {
    const capacityType =
      form.get('TargetCapacitySpecification.DefaultTargetCapacityType') === 'spot' ? 'spot' : 'on-demand'
    const priceOf = ({ fields }: Override): number => this.priceOf(fields['InstanceType'] ?? '', capacityType)
    const options = overridesIn(form).toSorted((a, b) => priceOf(a) - priceOf(b))
    const isShort = ({ fields }: Override): boolean =>
      this.shortages.some(
        (shortage) =>
          (shortage.capacityType ?? capacityType) === capacityType &&
          (shortage.instanceType ?? fields['InstanceType']) === fields['InstanceType'] &&
          (shortage.zone ?? fields['AvailabilityZone']) === fields['AvailabilityZone'],
      )
    const chosen = options.findIndex((option) => !isShort(option))
    const errors = (chosen < 0 ? options : options.slice(0, chosen))
      .map(
        (option) =>
          `<item>${this.#entryXml(option)}<lifecycle>${capacityType}</lifecycle><errorCode>InsufficientInstanceCapacity</errorCode><errorMessage>We currently do not have sufficient capacity</errorMessage></item>`,
      )
      .join('')
    const option = options[chosen]
    if (option === undefined)
      return xml('CreateFleet', `<fleetId>fleet-none</fleetId><errorSet>${errors}</errorSet><fleetInstanceSet/>`)
    const narrowed = new URLSearchParams([...form].filter(([key]) => !key.startsWith('LaunchTemplateConfigs.')))
    narrowed.set('LaunchTemplateConfigs.1.LaunchTemplateSpecification.LaunchTemplateName', option.template)
    narrowed.set('LaunchTemplateConfigs.1.LaunchTemplateSpecification.Version', '$Latest')
    for (const [field, value] of Object.entries(option.fields))
      narrowed.set(`LaunchTemplateConfigs.1.Overrides.1.${field}`, value)
    const answer = await this.#forward(incoming, narrowed.toString())
    if (answer.status !== 200) return answer
    const ids = [...answer.body.matchAll(/>(i-[0-9a-f]+)</g)].flatMap(([, id]) => id ?? [])
    for (const id of ids) this.launchedFrom.set(id, option.template)
    const [fleet = '<fleetId>fleet-1</fleetId>'] = /<fleetId>[^<]*<\/fleetId>/.exec(answer.body) ?? []
    const items = ids.toReversed().map((id) => `<item>${id}</item>`)
    const type = `<instanceType>${option.fields['InstanceType'] ?? ''}</instanceType>`
    const group = `<item>${this.#entryXml(option)}<lifecycle>${capacityType}</lifecycle><instanceIds>${items.join('')}</instanceIds>${type}</item>`
    return xml(
      'CreateFleet',
      `${fleet}<errorSet>${errors}</errorSet><fleetInstanceSet>${ids.length === 0 ? '' : group}</fleetInstanceSet>`,
    )
  }

  #entryXml(option: Override): string {
    return overrideXml(option, this.templates.get(option.template)?.id ?? '')
  }

  /**
   * Terminates instances as EC2 does. The emulator would terminate the instances listed before the first protected one, in all zones. EC2
   * refuses the call, and terminates only the instances of zones for which the call lists no protected instance (API reference,
   * TerminateInstances).
   */
  async #terminate(form: URLSearchParams, body: string, incoming: IncomingMessage): Promise<ProxyResponse> {
    const ids = [...form].flatMap(([key, value]) => (/^InstanceId\.\d+$/.test(key) ? [value] : []))
    const guarded = ids.filter((id) => this.protectedInstances.has(id))
    const [first] = guarded
    if (first === undefined) return this.#forward(incoming, body)
    const ask = (action: string, about: readonly string[]): Promise<ProxyResponse> => {
      const fields = new URLSearchParams({ Action: action, Version: form.get('Version') ?? '' })
      for (const [index, id] of about.entries()) fields.set(`InstanceId.${index + 1}`, id)
      return this.#forward(incoming, fields.toString())
    }
    const described = await ask('DescribeInstances', ids)
    if (described.status !== 200) return described
    const zoneOf = new Map(
      [...described.body.matchAll(/<instanceId>(i-[0-9a-f]+)<\/instanceId>[\s\S]*?<availabilityZone>([^<]+)</g)].map(
        ([, id = '', zone = '']) => [id, zone],
      ),
    )
    const kept = new Set(guarded.map((id) => zoneOf.get(id)))
    const others = ids.filter((id) => !kept.has(zoneOf.get(id)))
    if (others.length > 0) await ask('TerminateInstances', others)
    return xmlError({
      status: 400,
      code: 'OperationNotPermitted',
      message: `The instance '${first}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
    })
  }

  /** Replaces the security groups of each instance in the response with those of its launch template. */
  #completed(body: string): string {
    // In the response of the emulator, the id of an instance follows the instance's security groups.
    return body
      .split(/(?<=<instanceId>[^<]*<\/instanceId>)/)
      .map((part) => {
        const [, id = ''] = /<instanceId>([^<]+)<\/instanceId>$/.exec(part) ?? []
        const template = this.templates.get(this.launchedFrom.get(id) ?? '')
        if (template === undefined) return part
        const groups = template.securityGroups
          .map((group) => `<item><groupId>${group}</groupId><groupName>nodes</groupName></item>`)
          .join('')
        return part.replaceAll(/<groupSet>[\s\S]*?<\/groupSet>|<groupSet\s*\/>/g, `<groupSet>${groups}</groupSet>`)
      })
      .join('')
  }
}
