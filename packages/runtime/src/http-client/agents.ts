// Re-exports the parts of undici that Kerf uses. This is a separate module, so that undici is loaded on the first connection.
// Loading takes 80 ms, and commands without a cluster do not need it.
export { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
