// Re-exports the parts of undici that Kerf uses. It is a separate module so that undici is loaded on the first connection:
// loading takes 80 ms, which commands without a cluster do not need.
export { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
