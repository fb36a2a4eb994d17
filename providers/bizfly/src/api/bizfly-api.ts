/**
 * The types for the provider's calls to Bizfly Cloud. They contain only the fields that it uses, with their wire names
 * (`providers/bizfly/docs/spec/bizfly.md#calls`). The structs of the vendor's Go client are the only description of the API.
 */

export interface Flavor {
  readonly name: string
  readonly vcpus: number
  /** MiB. */
  readonly ram: number
  readonly category?: string
  readonly gpu?: { readonly name: string; readonly count: number } | null
  /** The billing plans under which the flavor is sold. */
  readonly billing_plans?: readonly string[] | null
}

export interface AttachedVolume {
  readonly id: string
  /** `rootdisk` for the disk from which the server boots. */
  readonly attached_type?: string
}

export interface Server {
  readonly id: string
  readonly name: string
  readonly status: string
  /** In RFC 3339. */
  readonly created?: string
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly flavor?: { readonly name: string } | null
  readonly flavor_name?: string
  readonly 'OS-EXT-AZ:availability_zone'?: string
  readonly 'os-extended-volumes:volumes_attached'?: readonly AttachedVolume[] | null
}

export interface ServerRequest {
  readonly name: string
  readonly flavor: string
  readonly sshkey?: string
  readonly password: boolean
  readonly rootdisk: { readonly size: number; readonly type: string }
  /** The node category. */
  readonly type: string
  readonly availability_zone: string
  readonly os: { readonly id: string; readonly type: 'image' }
  readonly quantity: number
  readonly firewalls?: readonly string[]
  readonly network_plan: string
  readonly vpc_network_ids: readonly string[]
  readonly billing_plan: string
  readonly is_created_wan: boolean
  readonly user_data: string
  readonly metadata: Readonly<Record<string, string>>
}

/** The state of a server's creation. `result` also has the fields of the server. */
export interface Task {
  readonly ready: boolean
  readonly result?: (Partial<Server> & { readonly success?: boolean }) | null
}

export interface KubernetesVersion {
  /** The version, for example `v1.31.5`. Flatcar images have the suffix `.flatcar`. */
  readonly kubernetes_version: string
  readonly worker_image_id?: string
}

/**
 * The client for Bizfly Cloud. Each method throws HttpError if the API refuses the call, NoResponseError if there is no response, or the
 * abort reason of the signal.
 */
export interface BizflyApi {
  flavors(signal: AbortSignal): Promise<readonly Flavor[]>
  /** Returns the ID of the task that creates the server. */
  launchServer(request: ServerRequest, signal: AbortSignal): Promise<string | undefined>
  task(id: string, signal: AbortSignal): Promise<Task>
  /** Lists all servers of the project, or only those with the name if it is given. */
  servers(name: string | undefined, signal: AbortSignal): Promise<readonly Server[]>
  server(id: string, signal: AbortSignal): Promise<Server>
  /** Deletes a server together with these volumes. */
  deleteServer(id: string, volumes: readonly string[], signal: AbortSignal): Promise<void>
  /** Returns the IDs of the VPC networks. */
  networks(signal: AbortSignal): Promise<readonly string[]>
  /** Returns the IDs of the firewalls. */
  firewalls(signal: AbortSignal): Promise<readonly string[]>
  kubernetesVersions(signal: AbortSignal): Promise<readonly KubernetesVersion[]>
  /** Removes the node from the list of nodes in Bizfly Kubernetes Engine. */
  leaveCluster(nodeName: string, signal: AbortSignal): Promise<void>
}
