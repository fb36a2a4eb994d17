import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2'
import { hashText, type Milliseconds } from '@kerf/apis'
import { ShortLivedResources } from '@kerf/provider-kit'
import type { Clock, Controller, Logger } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, ec2Tags } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { awsLabels } from '../label-names.ts'
import { awsTags } from '../labels.ts'

const PREFIX = 'karpenter.k8s.aws/'
/** The EC2 error code for a name that is already taken, without the suffix that `classifyAwsFailure` strips. */
const NAME_TAKEN = 'InvalidLaunchTemplateName.AlreadyExists'
/** How long a template is kept after its last use. */
const TEMPLATE_TTL: Milliseconds = 60_000
const SWEEP_INTERVAL: Milliseconds = 10_000

/** An existing launch template. */
export interface LaunchTemplateRef {
  readonly name: string
  /** The id of the template in EC2's answers. Empty if EC2 did not return it. */
  readonly id: string
}

/**
 * Manages launch templates. Creates a template when a launch needs it, and deletes it a minute after its last use
 * (`providers/aws/docs/spec/aws.md#launch-templates`). The name is derived from the content, so equal launches share one template, even
 * across restarts.
 */
export class LaunchTemplates {
  readonly #ec2: Ec2Api
  readonly #log: Logger
  readonly #clusterName: string
  readonly #held: ShortLivedResources

  constructor(
    deps: { readonly ec2: Ec2Api; readonly clock: Clock; readonly log: Logger },
    of: { readonly clusterName: string },
  ) {
    this.#ec2 = deps.ec2
    this.#log = deps.log
    this.#clusterName = of.clusterName
    this.#held = new ShortLivedResources({
      ...{ clock: deps.clock, title: 'launch templates', ttl: TEMPLATE_TTL },
      list: (signal) => this.#list(signal),
      delete: async ({ name, id }, signal) => {
        await this.#delete({ id }, signal)
        this.#log.debug('deleted launch template', { 'launch-template-name': name })
      },
    })
  }

  /** Returns the template with this content. Creates it if necessary, and keeps it for at least another minute. */
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

  /** Removes from the cache a template that EC2 does not find. The next launch creates it again. */
  forget(name: string): void {
    this.#held.forget(name)
  }

  /** Returns a controller that deletes templates a minute after their last use, including those of earlier runs. */
  collection(): Controller {
    return this.#held.collection({ name: 'launchtemplate.garbagecollection', interval: SWEEP_INTERVAL })
  }

  /** Deletes all templates of a node class that is being deleted. */
  async deleteOf(nodeClass: string, signal: AbortSignal): Promise<void> {
    const filters = [this.#ofCluster, ec2Filter(`tag:${awsLabels.nodeClass}`, nodeClass)]
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
    return ec2Filter(`tag:${awsTags.clusterName}`, this.#clusterName)
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
      if (classifyAwsFailure(error).class === 'not-found') return undefined
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
      // An earlier attempt created the template, but the response was lost. A template of this name always has this content.
      if (classifyAwsFailure(error).code !== NAME_TAKEN) throw error
      const id = await this.#find(name, signal)
      if (id === undefined) throw error
      return id
    }
  }

  async #delete(template: { readonly id: string } | { readonly name: string }, signal: AbortSignal): Promise<void> {
    try {
      await this.#ec2.deleteLaunchTemplate(template, signal)
    } catch (error) {
      if (classifyAwsFailure(error).class !== 'not-found') throw error
    }
  }
}
