import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2'
import { awsLabels, hashText, type Milliseconds } from '@kerf/apis'
import { ShortLivedResources } from '@kerf/provider-kit'
import type { Clock, Controller, Logger } from '@kerf/runtime'
import { type Ec2Api, ec2Tags, filterOf } from '../api/aws-api.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import { awsTags } from '../labels.ts'

const PREFIX = 'karpenter.k8s.aws/'
/** `awsFailureOf` takes the ending off that the wire has too. */
const NAME_TAKEN = 'InvalidLaunchTemplateName.AlreadyExists'
/** How long a template lives after its last use. */
const TEMPLATE_TTL: Milliseconds = 60_000
const SWEEP_INTERVAL: Milliseconds = 10_000

/** A launch template that exists. */
export interface LaunchTemplateRef {
  readonly name: string
  /** How answers of EC2 name it; empty where EC2 did not say. */
  readonly id: string
}

/**
 * Launch templates. They are created when a launch needs them and deleted a minute after their last use
 * (`docs/spec/aws.md#launch-templates`). The name follows from the content, so equal launches share one, also across
 * restarts.
 */
export class LaunchTemplates {
  readonly #ec2: Ec2Api
  readonly #log: Logger
  readonly #clusterName: string
  readonly #held: ShortLivedResources

  constructor(
    parts: { readonly ec2: Ec2Api; readonly clock: Clock; readonly log: Logger },
    of: { readonly clusterName: string },
  ) {
    this.#ec2 = parts.ec2
    this.#log = parts.log
    this.#clusterName = of.clusterName
    this.#held = new ShortLivedResources({
      ...{ clock: parts.clock, title: 'launch templates', ttl: TEMPLATE_TTL },
      list: (signal) => this.#list(signal),
      delete: async ({ name, id }, signal) => {
        await this.#delete({ id }, signal)
        this.#log.debug('deleted launch template', { 'launch-template-name': name })
      },
    })
  }

  /** The template with this content, which exists from now on for a minute at least. */
  async ensure(
    data: RequestLaunchTemplateData,
    tags: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<LaunchTemplateRef> {
    const name = `${PREFIX}${hashText(JSON.stringify([this.#clusterName, tags, data]))}`
    const id = await this.#held.use(
      name,
      async () => (await this.#find(name, signal)) ?? (await this.#create(name, data, tags, signal)),
    )
    return { name, id }
  }

  /** EC2 does not know the template any more: the next launch makes it anew. */
  forget(name: string): void {
    this.#held.forget(name)
  }

  /** Deletes templates a minute after their last use, those of earlier runs too. */
  collection(): Controller {
    return this.#held.collection({ name: 'launchtemplate.garbagecollection', interval: SWEEP_INTERVAL })
  }

  /** Deletes all templates of a node class that is being deleted. */
  async deleteOf(nodeClass: string, signal: AbortSignal): Promise<void> {
    const filters = [this.#ofCluster, filterOf(`tag:${awsLabels.nodeClass}`, nodeClass)]
    const failures: unknown[] = []
    for (const { LaunchTemplateName: name } of await this.#ec2.describeLaunchTemplates({ filters }, signal)) {
      if (name === undefined) continue
      try {
        await this.#delete({ name }, signal)
        this.#held.forget(name)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) {
      throw new AggregateError(
        failures,
        `${failures.length} launch templates of EC2NodeClass ${nodeClass} could not be deleted`,
      )
    }
  }

  get #ofCluster() {
    return filterOf(`tag:${awsTags.clusterName}`, this.#clusterName)
  }

  async #list(signal: AbortSignal): Promise<readonly LaunchTemplateRef[]> {
    const found = await this.#ec2.describeLaunchTemplates({ filters: [this.#ofCluster] }, signal)
    return found.flatMap(({ LaunchTemplateName: name, LaunchTemplateId: id }) =>
      name === undefined || id === undefined ? [] : [{ name, id }],
    )
  }

  async #find(name: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const [template] = await this.#ec2.describeLaunchTemplates({ names: [name] }, signal)
      return template?.LaunchTemplateId
    } catch (error) {
      if (awsFailureOf(error).class === 'not-found') return undefined
      throw error
    }
  }

  async #create(
    name: string,
    data: RequestLaunchTemplateData,
    tags: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    const TagSpecifications = [{ ResourceType: 'launch-template' as const, Tags: ec2Tags(tags) }]
    try {
      const template = await this.#ec2.createLaunchTemplate(
        { LaunchTemplateName: name, LaunchTemplateData: data, TagSpecifications },
        signal,
      )
      this.#log.debug('created launch template', { 'launch-template-name': name, id: template.LaunchTemplateId })
      return template.LaunchTemplateId ?? ''
    } catch (error) {
      // The answer to an earlier attempt got lost: the name says that the content is this.
      if (awsFailureOf(error).code !== NAME_TAKEN) throw error
      const id = await this.#find(name, signal)
      if (id === undefined) throw error
      return id
    }
  }

  async #delete(template: { readonly id: string } | { readonly name: string }, signal: AbortSignal): Promise<void> {
    try {
      await this.#ec2.deleteLaunchTemplate(template, signal)
    } catch (error) {
      if (awsFailureOf(error).class !== 'not-found') throw error
    }
  }
}
