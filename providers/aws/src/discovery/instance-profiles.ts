import { hashText, labels } from '@kerf/apis'
import { type Clock, type Random, TtlCache } from '@kerf/runtime'
import type { IamApi, InstanceProfile } from '../api/aws-api.ts'
import { classifyAwsFailure, isRoleMissing } from '../failures/aws-failure.ts'
import { awsLabels } from '../label-names.ts'
import { awsTags, clusterTag } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

const PROFILE_TTL = 900_000
const PROTECTION = 3_600_000
const GUARD = 60_000
const ROLE_MISSING = 60_000

/** Thrown when the role of a node class does not exist. Kerf checks the role again after a minute. */
export class RoleMissingError extends Error {
  override readonly name = 'RoleMissingError'
  constructor(role: string, options?: ErrorOptions) {
    super(`the IAM role ${role} does not exist; create it, or correct spec.role`, options)
  }
}

/** Returns the name of a role without its path, because roles are attached by name. */
const roleName = (role: string): string => role.slice(role.lastIndexOf('/') + 1)

/**
 * Manages the instance profiles for the roles of node classes (`providers/aws/docs/spec/aws.md#instance-profiles`). Kerf never changes a
 * profile that instances use. If the role of a class changes, Kerf switches to another profile, and deletes the old one when nothing uses
 * it any more.
 */
export class InstanceProfiles {
  readonly #iam: IamApi
  readonly #random: Random
  readonly #region: string
  readonly #clusterName: string
  readonly #profiles: TtlCache<string, InstanceProfile>
  readonly #protected: TtlCache<string, true>
  readonly #guard: TtlCache<string, string>
  /** The name of the profile that this process created or found, by role and node class. */
  readonly #made = new Map<string, string>()
  readonly #missingRoles: TtlCache<string, RoleMissingError>

  constructor(
    deps: { readonly iam: IamApi; readonly clock: Clock; readonly random: Random },
    of: { readonly region: string; readonly clusterName: string },
  ) {
    this.#iam = deps.iam
    this.#random = deps.random
    this.#region = of.region
    this.#clusterName = of.clusterName
    const { clock } = deps
    this.#profiles = new TtlCache(clock, { ttl: PROFILE_TTL })
    this.#protected = new TtlCache(clock, { ttl: PROTECTION })
    this.#guard = new TtlCache(clock, { ttl: GUARD })
    this.#missingRoles = new TtlCache(clock, { ttl: ROLE_MISSING })
  }

  /** Returns the IAM path of all profiles of this cluster or, if a node class is given, of the profiles of this class. */
  path(nodeClass?: EC2NodeClass): string {
    const cluster = `/karpenter/${this.#region}/${this.#clusterName}/`
    return nodeClass === undefined ? cluster : `${cluster}${nodeClass.metadata.uid ?? ''}/`
  }

  /** Returns the name of the profile that older releases created for the node class. They created only one profile per class. */
  legacyName(nodeClass: EC2NodeClass): string {
    return `${this.#clusterName}_${hashText(`${this.#region}${nodeClass.metadata.name}`)}`
  }

  /**
   * Returns the instance profile for the role of the node class. Prefers a profile that this process created, then the profile in the
   * status, then one below the class's IAM path. If there is none, creates one. Never returns a profile that Kerf does not own, because its
   * owner may delete it.
   *
   * @throws RoleMissingError when the role does not exist.
   */
  async ensure(nodeClass: EC2NodeClass, role: string, signal: AbortSignal): Promise<string> {
    const key = `${role}/${nodeClass.metadata.uid ?? ''}`
    const guarded = this.#guard.get(key)
    if (guarded !== undefined) return guarded
    const current = nodeClass.status?.instanceProfile
    for (const name of new Set([this.#made.get(key), current])) {
      if (name !== undefined && (await this.#isUsable(name, nodeClass, role, signal))) return name
    }
    const missing = this.#missingRoles.get(role)
    if (missing !== undefined) throw missing
    const name =
      (await this.#findOwn(nodeClass, role, signal)) ??
      (await this.#make(this.#newName(nodeClass), nodeClass, role, signal))
    this.#guard.set(key, name)
    this.#made.set(key, name)
    this.protect(name)
    if (current !== undefined) this.protect(current)
    return name
  }

  #newName(nodeClass: EC2NodeClass): string {
    return `${this.#clusterName}_${hashText(`${this.#region}${nodeClass.metadata.name}${this.#random.uuid()}`)}`
  }

  async #isUsable(name: string, nodeClass: EC2NodeClass, role: string, signal: AbortSignal): Promise<boolean> {
    const profile = await this.#get(name, signal)
    if (profile?.roles.includes(roleName(role)) !== true) return false
    return profile.path.startsWith(this.path(nodeClass)) || name === this.legacyName(nodeClass)
  }

  /**
   * Returns a profile that Kerf created earlier for the node class and the role. This is necessary if the profile's name was not saved in
   * the status.
   */
  async #findOwn(nodeClass: EC2NodeClass, role: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const listed = await this.list(this.path(nodeClass), signal)
      return listed
        .filter(({ roles }) => roles.includes(roleName(role)))
        .map(({ name }) => name)
        .toSorted()[0]
    } catch (error) {
      // Without the permission to list profiles, Kerf can still create one.
      if (classifyAwsFailure(error).class !== 'unauthorized') throw error
      return undefined
    }
  }

  async #make(name: string, nodeClass: EC2NodeClass, role: string, signal: AbortSignal): Promise<string> {
    try {
      await this.#create(name, nodeClass, role, signal)
      return name
    } catch (error) {
      await this.delete(name, signal).catch(() => {})
      throw error
    }
  }

  /** Protects the profile from deletion for an hour. */
  protect(name: string): void {
    this.#protected.set(name, true)
  }

  isProtected(name: string): boolean {
    return this.#protected.has(name)
  }

  /** Lists profiles below a path. Checks the paths in AWS's response again, because callers delete unused profiles. */
  async list(pathPrefix: string, signal: AbortSignal): Promise<readonly InstanceProfile[]> {
    const listed = await this.#iam.listInstanceProfiles(pathPrefix, signal)
    return listed.filter(({ path }) => path.startsWith(pathPrefix))
  }

  /** Deletes the profile. Succeeds if the profile does not exist. */
  async delete(name: string, signal: AbortSignal): Promise<void> {
    try {
      const { roles } = await this.#iam.getInstanceProfile(name, signal)
      for (const role of roles) await this.#iam.removeRole(name, role, signal)
      await this.#iam.deleteInstanceProfile(name, signal)
    } catch (error) {
      if (classifyAwsFailure(error).class !== 'not-found') throw error
    }
    this.#profiles.delete(name)
    this.#protected.delete(name)
    for (const [key, made] of this.#made) if (made === name) this.#made.delete(key)
  }

  async #get(name: string, signal: AbortSignal): Promise<InstanceProfile | undefined> {
    const known = this.#profiles.get(name)
    if (known !== undefined) return known
    try {
      const profile = await this.#iam.getInstanceProfile(name, signal)
      this.#profiles.set(name, profile)
      return profile
    } catch (error) {
      if (classifyAwsFailure(error).class === 'not-found') return undefined
      throw error
    }
  }

  async #create(name: string, nodeClass: EC2NodeClass, role: string, signal: AbortSignal): Promise<void> {
    const tags = {
      ...nodeClass.spec.tags,
      [clusterTag(this.#clusterName)]: 'owned',
      [awsTags.clusterName]: this.#clusterName,
      [awsLabels.nodeClass]: nodeClass.metadata.name,
      [labels.region]: this.#region,
    }
    const profile = await this.#getOrCreate({ name, path: this.path(nodeClass), tags }, signal)
    const wanted = roleName(role)
    if (profile.roles.includes(wanted)) return
    for (const other of profile.roles) await this.#iam.removeRole(name, other, signal)
    try {
      await this.#iam.addRole(name, wanted, signal)
    } catch (error) {
      if (!isRoleMissing(classifyAwsFailure(error))) throw error
      const missing = new RoleMissingError(role, { cause: error })
      this.#missingRoles.set(role, missing)
      throw missing
    }
    this.#profiles.set(name, { ...profile, roles: [wanted] })
  }

  async #getOrCreate(
    profile: { readonly name: string; readonly path: string; readonly tags: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<InstanceProfile> {
    try {
      return await this.#iam.createInstanceProfile(profile, signal)
    } catch (error) {
      if (classifyAwsFailure(error).class !== 'already-exists') throw error
      return this.#iam.getInstanceProfile(profile.name, signal)
    }
  }
}
