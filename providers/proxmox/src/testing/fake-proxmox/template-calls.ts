import { FAKE_USER } from './fake-cluster.ts'
import { FakeRefusal } from './fake-refusal.ts'
import type { FakeConfig, FakeStorage } from './fake-state.ts'
import type { FakeCall } from './guest-calls.ts'

const node = ({ path }: FakeCall): string => path['node'] ?? ''

const storageOf = ({ cluster, path }: FakeCall, name = path['storage'] ?? ''): FakeStorage => {
  const found = cluster.storages.find((each) => each.node === path['node'] && each.name === name)
  if (found === undefined) throw new FakeRefusal(500, `storage '${name}' does not exist`)
  return found
}

const begin = (call: FakeCall, type: string, duration: number, finish: () => string): string =>
  call.cluster.tasks.begin({ node: node(call), type, vmid: 0, user: FAKE_USER }, duration, finish)

export const listVolumes = (call: FakeCall): readonly object[] => {
  const { name } = storageOf(call)
  const content = call.given.get('content') ?? ''
  return [...call.cluster.volumesOn(node(call), name)]
    .filter((volid) => volid.startsWith(`${name}:${content}/`))
    .map((volid) => ({ volid, content, format: 'raw', size: 1 }))
}

export const downloadImage = (call: FakeCall): string => {
  const { cluster, given } = call
  const { name, contents } = storageOf(call)
  const [content = '', filename = '', url = ''] = ['content', 'filename', 'url'].map((key) => given.get(key) ?? '')
  if (!contents.includes(content))
    throw new FakeRefusal(500, `storage '${name}' is not configured for content-type '${content}'`)
  if (!/\.(?:qcow2|raw|vmdk)$/.test(filename))
    throw new FakeRefusal(400, 'Parameter verification failed.', { filename: 'invalid filename or wrong extension' })
  const volumes = cluster.volumesOn(node(call), name)
  const volid = `${name}:${content}/${filename}`
  if (volumes.has(volid)) throw new FakeRefusal(500, `refusing to override existing file '${filename}'`)
  return begin(call, 'download', cluster.times.clone, () => {
    if (cluster.brokenUrls.has(url)) return `download failed: 404 Not Found`
    volumes.add(volid)
    return 'OK'
  })
}

export const uploadFile = (call: FakeCall): string => {
  const { cluster, given, file } = call
  const { name, contents } = storageOf(call)
  const [content = '', filename = ''] = [given.get('content'), given.get('filename')]
  if (file === undefined) throw new FakeRefusal(400, 'no file was uploaded')
  if (!contents.includes(content))
    throw new FakeRefusal(500, `storage '${name}' is not configured for content-type '${content}'`)
  if (content === 'iso' && !/^[\w.+-]+\.(?:iso|img)$/i.test(filename))
    throw new FakeRefusal(400, 'Parameter verification failed.', { filename: 'invalid filename or wrong extension' })
  return begin(call, 'imgcopy', 0, () => {
    const volid = `${name}:${content}/${filename}`
    cluster.volumesOn(node(call), name).add(volid)
    cluster.files.set(`${node(call)}/${volid}`, file)
    return 'OK'
  })
}

export const deleteVolume = (call: FakeCall): string => {
  const volid = decodeURIComponent(call.path['volume'] ?? '')
  const volumes = call.cluster.volumesOn(node(call), storageOf(call).name)
  return begin(call, 'imgdel', 0, () => (volumes.delete(volid) ? 'OK' : `volume '${volid}' does not exist`))
}

const MAC = (vmid: number, index: number): string =>
  `BC:24:11:${((vmid >> 8) & 255).toString(16).padStart(2, '0').toUpperCase()}:${(vmid & 255).toString(16).padStart(2, '0').toUpperCase()}:0${index}`

/** Returns an option in Proxmox's stored format: disks are allocated, and network cards have a hardware address. */
const stored = (option: string, value: string, vmid: number): string => {
  const index = Number(/\d+$/.exec(option)?.[0] ?? 0)
  if (/^net\d+$/.test(option)) return value.replace(/^(\w+)(?=,|$)/, `$1=${MAC(vmid, index)}`)
  if (option === 'scsi0') return `${/file=([^:]+):/.exec(value)?.[1] ?? ''}:vm-${vmid}-disk-0,iothread=1,size=3G`
  if (option === 'efidisk0') return `${value.split(':')[0]}:vm-${vmid}-disk-1,efitype=4m,size=4M`
  if (option === 'tpmstate0') return `${/file=([^:]+):/.exec(value)?.[1] ?? ''}:vm-${vmid}-disk-2,size=4M,version=v2.0`
  return value
}

export const createGuest = (call: FakeCall): string => {
  const { cluster, given } = call
  const vmid = Number(given.get('vmid'))
  call.require(`/vms/${vmid}`, 'VM.Allocate')
  if (cluster.guests.has(vmid)) throw new FakeRefusal(500, `unable to create VM ${vmid}: config file already exists`)
  const disk = given.get('scsi0') ?? ''
  const target = storageOf(call, /file=([^:]+):/.exec(disk)?.[1] ?? '')
  call.require(`/storage/${target.name}`, 'Datastore.AllocateSpace')
  if (!target.contents.includes('images'))
    throw new FakeRefusal(500, `storage '${target.name}' is not configured for content-type 'images'`)
  for (const [option, value] of given) {
    if (/^net\d+$/.test(option)) {
      const bridge = /bridge=([^,]+)/.exec(value)?.[1] ?? ''
      call.require(`/sdn/zones/localnetwork/${bridge}`, 'SDN.Use')
    }
    const mapping = /^hostpci\d+$/.test(option) ? /mapping=([^,]+)/.exec(value)?.[1] : undefined
    if (mapping !== undefined) call.require(`/mapping/pci/${mapping}`, 'Mapping.Use')
  }
  const source = /import-from=([^,]+)/.exec(disk)?.[1] ?? ''
  const options = [...given].filter(([option]) => option !== 'vmid' && option !== 'pool')
  const pool = given.get('pool')
  cluster.put({ vmid, node: node(call), config: { lock: 'create' }, pool }, 0)
  return begin(call, 'qmcreate', cluster.times.clone, () => {
    const made = cluster.guests.get(vmid)
    if (made === undefined) return 'the guest is gone'
    if (!cluster.volumesOn(node(call), source.split(':')[0] ?? '').has(source)) {
      cluster.guests.delete(vmid)
      return `unable to create VM ${vmid} - volume '${source}' does not exist`
    }
    delete made.config['lock']
    const config: FakeConfig = Object.fromEntries(
      options.map(([option, value]) => [option, stored(option, value, vmid)]),
    )
    Object.assign(made.config, config, { meta: `creation-qemu=9.2.0,ctime=${Math.floor(cluster.clock.now() / 1_000)}` })
    return 'OK'
  })
}

export const convertToTemplate = (call: FakeCall): string => {
  const { cluster, path } = call
  const guest = cluster.guest(node(call), Number(path['vmid']))
  cluster.checkLock(guest)
  if (guest.config['template'] === 1) throw new FakeRefusal(500, "you can't convert a template to a template")
  return begin(call, 'qmtemplate', 0, () => {
    const { config, vmid } = guest
    config['template'] = 1
    for (const [option, value] of Object.entries(config))
      config[option] = typeof value === 'string' ? value.replaceAll(`:vm-${vmid}-disk`, `:base-${vmid}-disk`) : value
    return 'OK'
  })
}
